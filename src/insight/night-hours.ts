/** A night lasts from 22:00 to 08:00, in minutes of the day. Source: health detail contract, 2.4. */
export const nightHours = { start: 22 * 60, end: 8 * 60 } as const
