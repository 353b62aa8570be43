import type { ModelSettings } from '../../../../models/settings.js'
import type { Vendor } from '../vendor.js'
import { bytedance } from './bytedance.js'
import { fal } from './fal.js'
import { google } from './google.js'
import { openai, openaiCompatible } from './openai.js'
import { replicate } from './replicate.js'

export const vendors: Readonly<Record<ModelSettings['provider'], Vendor>> = {
  openai,
  google,
  bytedance,
  fal,
  replicate,
  'openai-compatible': openaiCompatible,
}
