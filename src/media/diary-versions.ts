/** Versions of the scene library and of the diary prompts, newest first. Source: gateway contract, 9.3. */
export const diaryVersions = ['V4.3', 'V4.2', 'V4.1', 'V4.0', 'V3.0'] as const
export type DiaryVersion = (typeof diaryVersions)[number]

/** The library that scene IDs are looked up in, and the prompts used if a request names no version. */
export const defaultDiaryVersion: DiaryVersion = 'V4.3'

const fullName = 'diary-prompt-'

/**
 * Parses the prompt version of a request, `V4.3` or `diary-prompt-V4.3`; returns `undefined` for an unknown one.
 * @NOTE contract: the full form is not shown. Source: gateway contract, 4.12.
 */
export function parsePromptVersion(text: string): DiaryVersion | undefined {
  const short = text.startsWith(fullName) ? text.slice(fullName.length) : text
  return diaryVersions.find((version) => version === short)
}
