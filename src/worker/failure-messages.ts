import type { UnitFailure } from '../ports/tasks.js'

type MessageLocale = 'en-US' | 'zh-CN' | 'es'

/**
 * The texts of failures for callers, by the `error_code` of a pose. A provider's own message is only for the log: it is in
 * one language and shows internals.
 * @NOTE contract: per-pose codes are not shown; these tell apart what callers can act on.
 */
const messages = {
  internal_error: {
    'en-US': 'An internal error occurred. It is logged under the task ID.',
    'zh-CN': '发生内部错误，已按任务ID记录。',
    es: 'Se ha producido un error interno. Está registrado con el ID de la tarea.',
  },
  timed_out: {
    'en-US': 'The picture or clip was not ready in the time a task may take. Create a new task to try again.',
    'zh-CN': '图片或动画未能在任务允许的时间内完成，请重新创建任务。',
    es: 'La imagen o el clip tardó más de lo que puede durar una tarea. Crea otra tarea para intentarlo de nuevo.',
  },
  provider_error: {
    'en-US': 'The model service did not make this picture or clip. Create a new task to try again.',
    'zh-CN': '模型服务未能生成该图片或动画，请重新创建任务。',
    es: 'El servicio de modelos no generó esta imagen o clip. Crea otra tarea para intentarlo de nuevo.',
  },
  content_refused: {
    'en-US':
      "The model service refused this content under its policy. Try another photo, or leave out the pet's name and breed.",
    'zh-CN': '模型服务因内容政策拒绝了该内容。请换一张照片，或不填写宠物的名字和品种。',
    es: 'El servicio de modelos rechazó este contenido según su política. Prueba con otra foto, o sin el nombre ni la raza.',
  },
  rate_limited: {
    'en-US': 'The model service is at capacity right now. Try again later with a new task.',
    'zh-CN': '模型服务当前请求过多，请稍后重新创建任务。',
    es: 'El servicio de modelos no acepta más solicitudes por ahora. Crea otra tarea más tarde.',
  },
  provider_unauthorized: {
    'en-US': 'The model service does not accept the key of this gateway. The operator of the gateway must renew it.',
    'zh-CN': '模型服务不接受本网关的密钥，请联系网关的运维人员更换密钥。',
    es: 'El servicio de modelos no acepta la clave de esta pasarela. Debe renovarla quien administra la pasarela.',
  },
  model_unavailable: {
    'en-US':
      'The model service does not have the model that this gateway uses. Ask the operator of the gateway to choose another model.',
    'zh-CN': '模型服务不提供本网关所用的模型，请联系网关的运维人员更换模型。',
    es: 'El servicio de modelos no tiene el modelo que usa esta pasarela. Pide a quien administra la pasarela que elija otro.',
  },
  model_removed: {
    'en-US': 'The model this task was created for is no longer set up here. Create a new task.',
    'zh-CN': '创建该任务所用的模型已停用，请重新创建任务。',
    es: 'El modelo para el que se creó esta tarea ya no está configurado. Crea otra tarea.',
  },
} satisfies Readonly<Record<string, Readonly<Record<MessageLocale, string>>>>

type Code = keyof typeof messages

/** The codes with which units fail. */
export const failureCodes: readonly string[] = Object.keys(messages)

/**
 * Returns the failure in the locale of the task's input, or in English if that locale is unknown. A code without its own text
 * gets the text of `provider_error`.
 */
export function describeFailure(code: string, input: unknown): UnitFailure {
  const locale = typeof input === 'object' && input !== null && 'locale' in input ? String(input.locale) : ''
  const sentences = messages[isKnown(code) ? code : 'provider_error']
  return { code, message: isLocale(locale) ? sentences[locale] : sentences['en-US'] }
}

function isKnown(code: string): code is Code {
  return Object.hasOwn(messages, code)
}

function isLocale(locale: string): locale is MessageLocale {
  return Object.hasOwn(messages.provider_error, locale)
}
