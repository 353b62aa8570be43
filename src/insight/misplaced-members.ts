import { memberNames } from '../generated/validators.js'
import { isJsonObject, type JsonObject, type NameTree } from './json-object.js'

/** The member that an unknown member of `metrics` seems to be meant for. */
export interface Meant {
  /** The known member that is missing next to it. */
  readonly name: string
  /** The pages that know the unknown member by its name, such as "activity by day"; empty if no page does. */
  readonly pages: readonly string[]
}

/**
 * Finds the member that an unknown member of `metrics` is meant for: one that the main number or a daily array of the
 * page needs and that is missing next to it, if the unknown name has the same words, or is such a member of another
 * page. Returns `undefined` if the page has what it needs, or if the unknown member holds no number except 0, as old
 * placeholders do.
 */
export function findMeantMember(
  members: JsonObject,
  name: string,
  known: readonly string[],
  path: string,
): Meant | undefined {
  if (!path.startsWith('/metrics')) return undefined
  const needed = known.filter((one) => neededNames.has(one))
  const missing = needed.filter((one) => members[one] === undefined)
  const [first] = missing
  if (first === undefined || !holdsNumber(members[name])) return undefined
  const pages = findPages(path, name)
  const alike = missing.find((one) => isAlike(name, one))
  if (alike !== undefined) return { name: alike, pages }
  return pages.length > 0 && neededNames.has(name) && missing.length === needed.length
    ? { name: first, pages }
    : undefined
}

/** The members that hold the main number of a page, a daily array or the value of a day. */
const neededNames = new Set([
  ...['activityTime', 'activityMinutes', 'averageDailyActivityMinutes', 'dailyActivityMinutes'],
  ...['night', 'nightRest', 'minutes', 'averageMinutes', 'nightlyRestDurations', 'deepRestMinutes'],
  ...['Hr', 'Rmssd', 'Rr'].flatMap((infix) => [
    ...[`nightRest${infix}Average`, `allDayRest${infix}Average`],
    ...[`dailyNightRest${infix}`, `dailyAllDayRest${infix}`],
  ]),
  ...['value', 'barkDurationSeconds', 'averageDailyBarkDurationSeconds', 'dailyBarkDurations'],
])
/** Words that say nothing but that there is a number. */
const generalNames = new Set(['value', 'average', 'avg', 'mean', 'median', 'duration', 'minutes', 'seconds'])

/**
 * Checks whether a name is general, has only words of the other name, or differs in few words that are not the last.
 */
function isAlike(name: string, needed: string): boolean {
  if (generalNames.has(name)) return /Average$|Minutes$|Seconds$|^(value|minutes)$/.test(needed)
  const [words, others] = [toWords(name), toWords(needed)]
  const shared = words.filter((word) => others.includes(word)).length
  if (shared === words.length) return true
  return words.length === others.length && words.at(-1) === others.at(-1) && shared * 3 >= words.length * 2
}

const toWords = (name: string) =>
  name
    .slice(0, 64)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[_\- ]+/)

/** More than a daily array or a block of facts has. */
const maxValues = 31

/** Checks whether a value is a number above 0, or an object or array with one in it or one level below. */
function holdsNumber(value: unknown, levels = 2): boolean {
  if (typeof value === 'number') return value > 0
  if (levels === 0 || typeof value !== 'object' || value === null) return false
  return Object.values(value)
    .slice(0, maxValues)
    .some((part) => holdsNumber(part, levels - 1))
}

/** Returns the pages that know a name at a place, in any entry of an array. */
function findPages(path: string, name: string): readonly string[] {
  const place = path.split('/').filter((part) => part !== '' && !/^\d+$/.test(part))
  return Object.entries(memberNames as Readonly<Record<string, NameTree>>)
    .filter(([, tree]) => {
      const names = place.reduce<NameTree | null | undefined>((at, part) => at?.[part], tree)
      return isJsonObject(names) && Object.hasOwn(names, name)
    })
    .map(([page]) => page.replace('-day', ' by day').replace('-period', ' by week and month'))
}
