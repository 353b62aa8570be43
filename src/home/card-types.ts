/** The subjects of cards. @NOTE contract: not shown. */
export const homeCardTypes = [
  'birthday',
  'adoption_day',
  'weather',
  'diary',
  'goal_reached',
  'activity',
  'streak',
  'rest',
  'bark',
  'welcome',
] as const
export type HomeCardType = (typeof homeCardTypes)[number]
