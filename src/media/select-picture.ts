import { SvcError } from '../errors.js'
import type { DiaryStore, Selection } from '../ports/diary.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Owner, Task } from '../ports/tasks.js'
import { createId } from '../runtime/ids.js'
import { fallsOn, isDate, northernSeason } from './dates.js'
import { findImageId, isPictureStored } from './diary.js'
import type { Species } from './poses.js'
import { fitsSpecies, type Scene } from './scenes.js'
import { refusePainting } from './shared-library.js'
import type { TaskRequest } from './task-base.js'
import { areOpposed, type FactName, factNames, findWord, type Word } from './vocabulary.js'

export interface SelectPorts {
  readonly store: Pick<DiaryStore, 'findLibraryPictures' | 'saveSelection'>
  readonly objects: Pick<ObjectStore, 'findHead'>
  /** Of the default library. */
  readonly scenes: readonly Scene[]
  /** Pictures that all pets of the species share; absent if there is no shared library. */
  readonly shared?: SharedPictures | undefined
}

export interface SharedPictures {
  /** Returns those of the scenes whose picture can be chosen. */
  readonly listScenes: (scenes: readonly Scene[]) => Promise<readonly Scene[]>
  /** Returns the picture of a scene, painting it first if necessary. */
  readonly getPicture: (scene: Scene) => Promise<Task>
}

export interface SelectRequest extends Pick<TaskRequest, 'requestId' | 'callId' | 'keyId'> {
  readonly owner: Owner
  readonly diaryId: string | null
  readonly day: Day
}

/** A finished picture, or one of the shared library, which is looked up after it is chosen. */
type Choosable = Candidate & { readonly picture?: Task }

/**
 * Chooses the picture of a day from the pet's library pictures and those that all pets of its species share.
 * Throws `invalid_request` for a date that does not exist, `not_found` if there is nothing to choose from, and the
 * error that prevented a shared picture from being drawn.
 * Source: gateway contract, 4.11.
 */
export async function selectPicture(
  { store, objects, scenes, shared }: SelectPorts,
  { requestId, callId, keyId, owner, diaryId, day }: SelectRequest,
  now: Date,
): Promise<Selection & { readonly picture: Task }> {
  if (!isDate(day.date)) throw new SvcError('invalid_request', '`date` must be an existing date, YYYY-MM-DD.')
  const sceneIds = scenes.map(({ scene_id }) => scene_id)
  const own = await store.findLibraryPictures(owner, day.facts.species, sceneIds)
  const common = (await shared?.listScenes(scenes)) ?? []
  const choice = await chooseStored(objects, [...own.map(toOwn), ...common.map(toShared)], scenes, day)
  const scene = scenes.find(({ scene_id }) => scene_id === choice?.candidate.sceneId)
  const picture = choice?.candidate.picture ?? (scene && (await shared?.getPicture(scene)))
  if (choice === undefined || picture === undefined) {
    // @NOTE contract: not shown; the requested picture does not exist.
    if (shared !== undefined) throw refusePainting()
    throw new SvcError('not_found', 'There is no library picture of this pet yet. Generate some first.')
  }
  const selection: Selection = {
    id: createId('sel_'),
    ...{ owner, diaryId, date: day.date },
    imageId: findImageId(picture) ?? '',
    ...{ sceneId: choice.candidate.sceneId, score: choice.score, matched: choice.matched },
  }
  const usage = { requestId, callId, keyId, endpoint: 'pet-diary', owner, createdAt: now }
  await store.saveSelection(selection, usage)
  return { ...selection, picture }
}

/** Returns the best candidate whose file exists. Files are rarely lost, so only the chosen one is checked. */
async function chooseStored(
  objects: Pick<ObjectStore, 'findHead'>,
  candidates: readonly Choosable[],
  scenes: readonly Scene[],
  day: Day,
) {
  for (let left = candidates; ; ) {
    const choice = selectCandidate(left, scenes, day)
    const picture = choice?.candidate.picture
    if (picture === undefined || (await isPictureStored(objects, picture))) return choice
    left = left.filter((candidate) => candidate !== choice?.candidate)
  }
}

function toOwn(picture: Task): Choosable {
  const { id: imageId, createdAt } = picture
  return { imageId, sceneId: picture.units[0]?.name ?? '', isOwn: true, createdAt, picture }
}

/**
 * All shared pictures have the same age and their scene as ID, so that the choice does not depend on which exist
 * already.
 */
function toShared({ scene_id: sceneId }: Scene): Choosable {
  return { imageId: sceneId, sceneId, isOwn: false, createdAt: new Date(0) }
}

/** A day of a diary. Unknown facts are null or left out. Source: gateway contract, 4.11. */
export interface Day {
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly facts: { readonly species: Species } & { readonly [N in FactName]?: string | null | undefined }
}

/** The degree to which a scene fits a day. Source: gateway contract, 2.7. */
interface Fit {
  /** 0 to 1 in hundredths; 0.5 if no fact counts for or against the scene. */
  readonly score: number
  /** The facts that match, in the order of the contract. */
  readonly matched: readonly FactName[]
}

/**
 * The comparison of one fact of the day with a scene. `date`: the holiday was not named but the calendar has it.
 * `doubt`: the season was not named and the calendar contradicts it. `open`: the scene fits any value, or the fact is
 * unknown.
 */
type Verdict = 'match' | 'date' | 'open' | 'doubt' | 'contradiction'

/**
 * Hundredths that a verdict adds to 50. The sums range from 30 to 100. The day's holiday outweighs all other facts
 * together; a named personal day outweighs the calendar.
 */
const points: Readonly<Record<FactName, Readonly<Partial<Record<Verdict, number>>>>> = {
  holiday: { match: 29, date: 24 },
  location: { match: 6, contradiction: -9 },
  activity: { match: 5, contradiction: -6 },
  weather: { match: 5 },
  season: { match: 3, doubt: -3 },
  mood: { match: 2, contradiction: -2 },
}

/**
 * Contradictions that make a picture wrong, the worst first: another holiday, another weather, another season. `from`
 * is the lowest score of the row: the best scene of a row scores below the worst of the next, and all below 30.
 */
const wrongs: readonly (readonly [fact: FactName, from: number])[] = [
  ['holiday', 0],
  ['weather', 10],
  ['season', 20],
]

/**
 * Scores how well a scene fits a day; ignores the species.
 * @NOTE contract: the score is not shown. A season that was not named is derived from the date, as in the northern
 * hemisphere: it never matches, because the caller did not state it, and only counts against scenes of other seasons.
 */
export function scoreScene(scene: Scene, day: Day): Fit {
  return fit(scene, readDay(day))
}

/** A picture that can be chosen. */
export interface Candidate {
  readonly imageId: string
  readonly sceneId: string
  /** True for a picture of the pet itself, false for one of the shared library. */
  readonly isOwn: boolean
  readonly createdAt: Date
}

/**
 * Returns the picture that fits a day best. Ties go to the pet's own picture, then to the newest, then to the first
 * by ID. Returns `undefined` if no candidate shows one of `scenes` for the pet's species. The order of `candidates`
 * does not matter.
 * Source: gateway contract, 4.11.
 */
export function selectCandidate<C extends Candidate>(
  candidates: readonly C[],
  scenes: readonly Scene[],
  day: Day,
): (Fit & { readonly candidate: C }) | undefined {
  const words = readDay(day)
  const fitting = scenes.filter((scene) => fitsSpecies(scene, day.facts.species))
  const fits = new Map(fitting.map((scene) => [scene.scene_id, fit(scene, words)]))
  let best: (Fit & { readonly candidate: C }) | undefined
  for (const candidate of candidates) {
    const fit = fits.get(candidate.sceneId)
    if (fit === undefined) continue
    if (best === undefined || isBetter({ ...fit, candidate }, best)) best = { ...fit, candidate }
  }
  return best
}

type ScoredCandidate = Pick<Fit, 'score'> & { readonly candidate: Candidate }

function isBetter(one: ScoredCandidate, other: ScoredCandidate): boolean {
  if (one.score !== other.score) return one.score > other.score
  if (one.candidate.isOwn !== other.candidate.isOwn) return one.candidate.isOwn
  const newer = one.candidate.createdAt.getTime() - other.candidate.createdAt.getTime()
  return newer === 0 ? one.candidate.imageId < other.candidate.imageId : newer > 0
}

/** A day in words of the vocabulary. */
interface DayWords {
  readonly date: string
  readonly words: Readonly<Partial<Record<FactName, Word>>>
}

function readDay({ date, facts }: Day): DayWords {
  const words = factNames.map((name) => [name, findWord(name, facts[name] ?? '')])
  return { date, words: Object.fromEntries(words) }
}

function fit(scene: Scene, day: DayWords): Fit {
  const verdicts = factNames.map((name) => [name, judge(name, scene, day)] as const)
  const sum = verdicts.reduce((total, [name, verdict]) => total + (points[name][verdict] ?? 0), 50)
  const contradicted = verdicts.filter(([, verdict]) => verdict === 'contradiction').map(([name]) => name)
  const wrong = wrongs.find(([name]) => contradicted.includes(name))
  return {
    score: (wrong === undefined ? sum : wrong[1] + squeeze(sum)) / 100,
    matched: verdicts.filter(([, verdict]) => verdict === 'match' || verdict === 'date').map(([name]) => name),
  }
}

function judge(name: FactName, scene: Scene, { date, words }: DayWords): Verdict {
  const shown: readonly string[] = scene.facts[name]
  if (shown.length === 0) return 'open'
  const word = words[name]
  if (word !== undefined && shown.includes(word)) return 'match'
  if (name === 'holiday') return scene.date_rule !== null && fallsOn(scene.date_rule, date) ? 'date' : 'contradiction'
  if (name === 'season' && word === undefined) return shown.includes(northernSeason(date)) ? 'open' : 'doubt'
  if (word === undefined) return 'open'
  return name !== 'weather' || shown.some((kind) => areOpposed(kind, word)) ? 'contradiction' : 'open'
}

/** Maps 30 to 100 to 0 to 9, in the same order. */
function squeeze(sum: number): number {
  return Math.min(9, Math.floor((sum - 30) / 7))
}
