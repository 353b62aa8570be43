import type { UnitFailure } from '../ports/tasks.js'

type Code = 'internal_error' | 'timed_out' | 'provider_error'

/** What callers read of a failure. A provider's own words are for the log: they are in one language, and of its insides. */
const messages: Readonly<Record<Code, Readonly<Record<string, string>>>> = {
  internal_error: {
    'en-US': 'An internal error occurred. It is logged under the task ID.',
    'zh-CN': '发生内部错误，已按任务 ID 记录。',
  },
  timed_out: {
    'en-US': 'The picture or clip was not ready in the time a task may take. Create a new task to try again.',
    'zh-CN': '未能在任务允许的时间内完成，请重新创建任务。',
  },
  provider_error: {
    'en-US': 'The model service did not make this picture or clip. Create a new task to try again.',
    'zh-CN': '模型服务未能生成该图片或动画，请重新创建任务。',
  },
}

/**
 * The failure in the locale of the task's input, in English where that names none we know. A code of a provider that has no
 * words of its own is described as a `provider_error`.
 */
export function describeFailure(code: string, input: unknown): UnitFailure {
  const locale = typeof input === 'object' && input !== null && 'locale' in input ? String(input.locale) : ''
  const sentences = messages[isKnown(code) ? code : 'provider_error']
  return { code, message: sentences[locale] ?? sentences['en-US'] ?? '' }
}

function isKnown(code: string): code is Code {
  return Object.hasOwn(messages, code)
}
