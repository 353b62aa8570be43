/** Source: gateway contract, 2.3. */
export const poses = ['lying', 'sitting', 'walking', 'running'] as const
export type Pose = (typeof poses)[number]

export const poseChoices = ['all', ...poses] as const
export type PoseChoice = (typeof poseChoices)[number]

export const species = ['dog', 'cat'] as const
export type Species = (typeof species)[number]

/** Languages of the messages of a task. Source: gateway contract, 4.3. */
export const taskLocales = ['en-US', 'zh-CN'] as const
export type TaskLocale = (typeof taskLocales)[number]

/**
 * Returns the requested poses in request order; a list takes precedence over a single choice. Source: gateway
 * contract, 4.3.
 */
export function choosePoses(choice: PoseChoice, list?: readonly Pose[]): readonly Pose[] {
  if (list !== undefined) return list
  return choice === 'all' ? poses : [choice]
}
