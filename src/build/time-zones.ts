/**
 * Names that IANA has and `Intl.supportedValuesOf` may leave out, because it lists one name for each zone. Everything
 * else is asked of Intl when it comes up; a name in the list only spares that.
 */
const otherNames = [
  'UTC',
  'GMT',
  'Etc/UTC',
  'Etc/GMT',
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Pohnpei',
  'PRC',
  'Hongkong',
  'Singapore',
  'Japan',
  'US/Eastern',
  'US/Central',
  'US/Mountain',
  'US/Pacific',
]

/** The source of `src/generated/time-zones.ts`: the usual time zone names, each between two spaces. */
export async function generateTimeZones(): Promise<string> {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), ...otherNames])
  return `export const timeZoneNames = ' ${[...names].sort().join(' ')} '\n`
}
