/**
 * IANA names that `Intl.supportedValuesOf` may omit, because it lists one name per zone. Names that are missing here
 * are looked up with Intl at run time.
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

const years = { from: Date.UTC(2024, 0, 1), until: Date.UTC(2036, 0, 1) }
const weekMs = 7 * 86_400_000

/**
 * Returns the source of `src/generated/time-zones.ts`: the usual time zone names by their minimum and maximum offset in
 * minutes over some years. Most dates follow from that; the first use of Intl takes 10 ms.
 */
export async function generateTimeZones(): Promise<string> {
  const groups = new Map<string, string[]>()
  for (const name of [...new Set([...Intl.supportedValuesOf('timeZone'), ...otherNames])].sort()) {
    const offsets = readOffsets(name)
    const key = `${Math.min(...offsets)} ${Math.max(...offsets)}`
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  const rows = [...groups].map(([key, names]) => {
    const [least, greatest] = key.split(' ')
    return `  { least: ${least}, greatest: ${greatest}, names: ' ${names.join(' ')} ' },`
  })
  return [
    `export const offsetsKnown = { fromMs: ${years.from}, untilMs: ${years.until} }`,
    `export const timeZoneGroups = [\n${rows.join('\n')}\n]`,
    '',
  ].join('\n')
}

/** Returns the offsets of a zone in minutes, sampled weekly: no clock change lasts less than a week. */
function readOffsets(timeZone: string): Set<number> {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsets = new Set<number>()
  for (let instantMs = years.from - weekMs; instantMs < years.until + weekMs; instantMs += weekMs) {
    const [, sign, hours, minutes] = /([+-])(\d+):?(\d*)$/.exec(format.format(instantMs)) ?? [0, '+', 0, 0]
    const size = Number(hours) * 60 + Number(minutes)
    offsets.add(sign === '-' ? -size : size)
  }
  return offsets
}
