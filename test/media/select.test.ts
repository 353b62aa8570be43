import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSceneLibrary } from '../../src/catalog/diary.js'
import { dateOf } from '../../src/media/dates.js'
import { defaultDiaryVersion } from '../../src/media/diary-versions.js'
import { species } from '../../src/media/poses.js'
import { fitsSpecies, type Scene } from '../../src/media/scenes.js'
import { type Candidate, type Day, scoreScene, selectCandidate } from '../../src/media/select-picture.js'
import { areOpposed, factNames, findWord, listWords, vocabulary } from '../../src/media/vocabulary.js'

const select = suite('selection of a diary picture')
const { scenes } = readSceneLibrary(defaultDiaryVersion)
const sceneById = new Map(scenes.map((scene) => [scene.scene_id, scene]))

function getScene(id: string): Scene {
  const scene = sceneById.get(id)
  if (scene === undefined) throw new Error(`no scene ${id}`)
  return scene
}

const created = new Date('2026-01-01T00:00:00Z')
const shared = scenes.map(
  ({ scene_id: sceneId }): Candidate => ({ imageId: `img_${sceneId}`, sceneId, isOwn: false, createdAt: created }),
)
const choose = (day: Day, candidates: readonly Candidate[] = shared) => selectCandidate(candidates, scenes, day)

type FactName = (typeof factNames)[number]
const forEachFact = <T>(make: (name: FactName) => T) =>
  Object.fromEntries(factNames.map((name) => [name, make(name)])) as Record<FactName, T>

/** Synonyms of a fact as callers write them, unknown words, and no value. */
const anyFact = (name: FactName) =>
  fc.oneof(
    fc.constantFrom<string>(...listWords(name)),
    fc.constantFrom(...Object.values<string>(vocabulary[name]).flatMap((others) => others.split(', '))),
    fc.string({ maxLength: 128 }).filter((text) => findWord(name, text) === undefined),
    fc.constantFrom(null, undefined),
  )
const anyDay: fc.Arbitrary<Day> = fc.record({
  date: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  facts: fc.record({ species: fc.constantFrom(...species), ...forEachFact(anyFact) }),
})
/** Any scene that is valid in a file, not only those of the library. */
const anyScene: fc.Arbitrary<Scene> = fc
  .record({
    facts: fc.record(forEachFact((name) => fc.uniqueArray(fc.constantFrom(...listWords(name)), { maxLength: 3 }))),
    of: fc.constantFrom(...scenes),
  })
  .map(({ facts, of }) => ({ ...of, facts }) as Scene)
const sceneOrOwn = fc.oneof(fc.constantFrom(...scenes), anyScene)
const anySubset = fc.subarray([...shared], { minLength: 1 })
const holds = (property: fc.IProperty<never> | fc.IRawProperty<unknown>, numRuns = 250) =>
  fc.assert(property as fc.IRawProperty<unknown>, { numRuns })

select('a score is a number of hundredths from 0 to 1, and the matched facts are the equal ones', () => {
  holds(
    fc.property(sceneOrOwn, anyDay, (scene, day) => {
      const { score, matched } = scoreScene(scene, day)
      assert.ok(score >= 0 && score <= 1 && Math.round(score * 100) / 100 === score, String(score))
      const { date_rule: rule, facts } = scene
      const isToday =
        rule !== null && facts.holiday.length > 0 && dateOf(rule, Number(day.date.slice(0, 4))) === day.date
      const equal = factNames.filter((name) => {
        const word = findWord(name, day.facts[name] ?? '')
        return facts[name].some((one) => one === word) || (name === 'holiday' && isToday)
      })
      assert.equal(matched, equal)
    }),
  )
})

select('a matching fact never lowers the score of its scene, and a contradicting one never raises it', () => {
  holds(
    fc.property(sceneOrOwn, anyDay, fc.constantFrom(...factNames), fc.nat(), (scene, day, name, index) => {
      const shown = scene.facts[name]
      if (shown.length === 0) return
      const score = (said: string | null) => scoreScene(scene, { ...day, facts: { ...day.facts, [name]: said } }).score
      const match = shown[index % shown.length] ?? null
      const unknown = score(null)
      assert.ok(score(match) >= unknown, `${name} ${match}`)
      for (const word of listWords(name)) assert.ok(score(word) <= score(match), `${name} ${word}`)
      if (name === 'season') return
      for (const word of listWords(name)) {
        if (!shown.some((one) => one === word)) assert.ok(score(word) <= unknown, `${name} ${word}`)
      }
    }),
  )
})

select('an unknown word is ignored, and a synonym counts as its word', () => {
  holds(
    fc.property(sceneOrOwn, anyDay, (scene, day) => {
      const words = factNames.map((name) => [name, findWord(name, day.facts[name] ?? '') ?? null])
      // Reversed, because the order of the facts does not matter.
      const facts = { ...Object.fromEntries(words.reverse()), species: day.facts.species }
      assert.equal(scoreScene(scene, { ...day, facts }), scoreScene(scene, day))
    }),
  )
})

select('a day without known facts scores the middle', () => {
  for (const scene of scenes.filter(({ category, facts }) => category === 'common' && facts.season.length === 0)) {
    assert.equal(scoreScene(scene, { date: '2026-05-05', facts: { species: 'dog' } }), { score: 0.5, matched: [] })
  }
})

select('another weather, a named other season and another day’s holiday score far below the middle', () => {
  holds(
    fc.property(sceneOrOwn, anyDay, (scene, day) => {
      const { score, matched } = scoreScene(scene, day)
      const { weather, season, holiday } = scene.facts
      const [said, named] = [findWord('weather', day.facts.weather ?? ''), findWord('season', day.facts.season ?? '')]
      const isOtherDay = holiday.length > 0 && !matched.includes('holiday')
      const isOpposed =
        said !== undefined && !matched.includes('weather') && weather.some((one) => areOpposed(one, said))
      const isOtherSeason = named !== undefined && season.length > 0 && !season.some((one) => one === named)
      assert.is(score < 0.3, isOtherDay || isOpposed || isOtherSeason)
    }),
  )
})

select('on a rainy day no sunny scene is chosen if there is one with rain', () => {
  holds(
    fc.property(anyDay, anySubset, fc.constantFrom('rain', 'rainy', '下雨', 'lluvia'), (day, candidates, weather) => {
      const choice = choose({ ...day, facts: { ...day.facts, weather } }, candidates)
      const shows = ({ sceneId }: Candidate) => getScene(sceneId).facts.weather as readonly string[]
      const isThere = candidates.some(
        (candidate) => shows(candidate).includes('rain') && fitsSpecies(getScene(candidate.sceneId), day.facts.species),
      )
      if (!isThere || choice === undefined) return
      assert.not.ok(shows(choice.candidate).includes('sun'), choice.candidate.sceneId)
    }),
  )
})

select('on a federal holiday its scene is chosen for any facts, unless another day is named', () => {
  const federal = scenes.filter(({ category }) => category === 'federal_holiday')
  holds(
    fc.property(anyDay, fc.constantFrom(...federal), fc.integer({ min: 2021, max: 2035 }), (day, scene, year) => {
      const date = scene.date_rule === null ? undefined : dateOf(scene.date_rule, year)
      if (date === undefined) throw new Error(`${scene.scene_id} has no date in ${year}`)
      const choice = choose({ date, facts: { ...day.facts, holiday: null } })
      // Washington's Birthday can coincide with Love Your Pet Day: then facts decide between the two.
      const expected = date.endsWith('-02-20') ? ['washingtons_birthday', 'love_your_pet_day'] : [scene.scene_id]
      assert.ok(expected.includes(choice?.candidate.sceneId ?? ''), choice?.candidate.sceneId)
    }),
  )
})

select('only scenes of the pet’s species are chosen', () => {
  holds(
    fc.property(anyDay, anySubset, (day, candidates) => {
      const choice = choose(day, candidates)
      const fitting = candidates.filter(({ sceneId }) => fitsSpecies(getScene(sceneId), day.facts.species))
      if (choice === undefined) assert.equal(fitting, [])
      else assert.ok(fitting.includes(choice.candidate))
    }),
  )
})

select('the order of the candidates does not matter', () => {
  const anyCandidate = fc.record({
    imageId: fc.constantFrom('img_a', 'img_b', 'img_c', 'img_d'),
    sceneId: fc.constantFrom('sofa_nap', 'park_walk', 'city_walk'),
    isOwn: fc.boolean(),
    createdAt: fc.constantFrom(new Date(0), new Date(1)),
  })
  const distinct = fc.uniqueArray(anyCandidate, { selector: ({ imageId }) => imageId, minLength: 1 })
  holds(
    fc.property(distinct, anyDay, (candidates, day) => {
      assert.equal(choose(day, [...candidates].reverse()), choose(day, candidates))
      const first = candidates.slice(0, 1)
      assert.equal(choose(day, [...candidates.slice(1), ...first]), choose(day, candidates))
    }),
  )
})

const quiet: Day = { date: '2026-05-05', facts: { species: 'dog', location: 'home', activity: 'nap' } }
const picture = (imageId: string, more: Partial<Candidate> = {}): Candidate => {
  return { imageId, sceneId: 'sofa_nap', isOwn: false, createdAt: created, ...more }
}
const ties: readonly (readonly [title: string, winner: Candidate, loser: Candidate])[] = [
  ['the better', picture('img_b'), picture('img_a', { sceneId: 'vet_visit', isOwn: true, createdAt: new Date() })],
  ['the pet’s own', picture('img_b', { isOwn: true }), picture('img_a', { createdAt: new Date() })],
  ['the newest', picture('img_b', { createdAt: new Date() }), picture('img_a')],
  ['the first by ID', picture('img_a'), picture('img_b')],
]
for (const [title, winner, loser] of ties) {
  select(`of two pictures ${title} wins`, () => {
    assert.is(choose(quiet, [winner, loser])?.candidate, winner)
    assert.is(choose(quiet, [loser, winner])?.candidate, winner)
  })
}

select('a picture of a scene that is not in the library is not a candidate', () => {
  assert.is(choose(quiet, [picture('img_a', { sceneId: 'studio_portrait' })]), undefined)
  assert.is(choose(quiet, []), undefined)
})

const days: readonly (readonly [title: string, date: string, facts: string, scene: string])[] = [
  ['a snowman never in July', '2026-07-15', 'location=yard activity=play', 'garden_play'],
  ['summer in December, if asked', '2026-12-10', 'season=summer weather=hot activity=sleep', 'shady_afternoon'],
  ['a named birthday rather than Christmas', '2026-12-25', 'holiday=birthday', 'birthday'],
  ['Christmas if it is named a day early', '2026-12-24', 'holiday=xmas', 'christmas_day'],
  ['Christmas, not the closed office, on a Saturday', '2027-12-25', 'weather=snow activity=play', 'christmas_day'],
  ['the vet rather than a cat day', '2026-08-08', 'location=vet activity=check-up mood=scared', 'vet_visit'],
  ['a cat day at home', '2026-08-08', 'location=home activity=sleep weather=rain', 'international_cat_day'],
  ['a storm', '2026-06-02', 'weather=thunderstorm location=home mood=scared', 'storm_blanket'],
  ['birds', '2026-04-20', 'weather=cloudy location=inside activity=watching mood=curious', 'bird_watching'],
  ['a sunny scene on a windy day', '2026-10-08', 'weather=windy location=park activity=walking', 'autumn_leaves'],
]
for (const [title, date, said, expected] of days) {
  select(`a cat gets ${title}`, () => {
    const facts = { species: 'cat' as const, ...Object.fromEntries(said.split(' ').map((fact) => fact.split('='))) }
    assert.is(choose({ date, facts })?.candidate.sceneId, expected)
  })
}

select.run()
