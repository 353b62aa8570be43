import type { UnitFailure } from '../ports/tasks.js'

type Code = 'internal_error' | 'timed_out'

/** What the worker itself has to say; what a provider says stands in its error. */
const messages: Readonly<Record<Code, Readonly<Record<string, string>>>> = {
  internal_error: {
    'en-US': 'An internal error occurred. It is logged under the task ID.',
    'zh-CN': '发生内部错误，已按任务 ID 记录。',
  },
  timed_out: {
    'en-US': 'The picture or clip was not ready in the time a task may take. Create a new task to try again.',
    'zh-CN': '未能在任务允许的时间内完成，请重新创建任务。',
  },
}

/** The failure in the locale of the task's input, in English where that names none we know. */
export function describeFailure(code: Code, input: unknown): UnitFailure {
  const locale = typeof input === 'object' && input !== null && 'locale' in input ? String(input.locale) : ''
  return { code, message: messages[code][locale] ?? messages[code]['en-US'] ?? '' }
}
