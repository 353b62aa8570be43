import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { propNames } from '../../src/artist/scenery/setting.js'
import { readSceneLibrary } from '../../src/catalog/diary.js'
import { compareLibraries } from '../../src/commands/diary/scenes.js'
import { isSvcError } from '../../src/errors.js'
import { isDate } from '../../src/media/dates.js'
import { defaultDiaryVersion, diaryVersions, parsePromptVersion } from '../../src/media/diary-versions.js'
import { poses } from '../../src/media/poses.js'
import { fitsSpecies, sceneCategories } from '../../src/media/scenes.js'
import { factNames, findWord, listWords, vocabulary } from '../../src/media/vocabulary.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const library = suite('scene library')
/** Oldest first. */
const versions = [...diaryVersions].reverse()
const libraries = versions.map((version) => readSceneLibrary(version))
const newest = readSceneLibrary(defaultDiaryVersion)

for (const { version, notes, released, scenes } of libraries) {
  const previous = libraries[versions.indexOf(version) - 1]
  library(`${version} differs from the previous version as its notes say`, () => {
    const changes = compareLibraries(previous?.scenes ?? [], scenes)
    assert.equal([...notes.added].sort(), [...changes.added].sort())
    assert.equal(Object.keys(notes.removed).sort(), [...changes.removed].sort())
    assert.equal(Object.keys(notes.changed).sort(), [...changes.changed].sort())
    assert.ok(isDate(released) && (previous === undefined || previous.released < released))
  })
}

library('a scene keeps its species, category and date in every version', () => {
  const meanings = new Map<string, string>()
  for (const { scenes } of libraries) {
    for (const { scene_id: id, species, category, date_rule: rule } of scenes) {
      const meaning = JSON.stringify([species, category, rule])
      assert.is(meanings.get(id) ?? meaning, meaning, id)
      meanings.set(id, meaning)
    }
  }
})

library('a removed scene never comes back', () => {
  const removed = libraries.flatMap(({ notes }) => Object.keys(notes.removed))
  for (const { scene_id: id } of libraries.at(-1)?.scenes ?? []) assert.not(removed.includes(id), id)
})

library('the default version has enough of everything', () => {
  const count = (category: string) => newest.scenes.filter((scene) => scene.category === category).length
  const least = { common: 30, federal_holiday: 11, personal: 6, species_day: 8 }
  for (const category of sceneCategories) assert.ok(count(category) >= least[category], category)
  assert.is(count('federal_holiday'), 11)
  for (const pet of ['dog', 'cat'] as const) {
    const own = newest.scenes.filter((scene) => scene.category === 'common' && fitsSpecies(scene, pet))
    assert.ok(own.length >= 30, pet)
    for (const pose of poses)
      assert.ok(own.filter((scene) => scene.recommended_pose === pose).length >= 3, `${pet} ${pose}`)
    for (const name of ['season', 'weather', 'location', 'activity', 'mood'] as const) {
      for (const word of listWords(name)) {
        const found = newest.scenes.some(
          (scene) => fitsSpecies(scene, pet) && scene.facts[name].some((one) => one === word),
        )
        assert.ok(found, `no scene for a ${pet} has ${name} ${word}`)
      }
    }
  }
})

library('every holiday belongs to one scene, and every prop occurs in one', () => {
  const holidays = newest.scenes.flatMap(({ facts }) => facts.holiday)
  assert.equal([...holidays].sort(), [...listWords('holiday')].sort())
  const drawn = new Set(newest.scenes.flatMap(({ backdrop }) => backdrop.props))
  assert.equal([...drawn].sort(), [...propNames].sort())
  assert.ok(propNames.length <= 41)
})

library('no synonym has two meanings, ignoring case, accents and spaces', () => {
  for (const name of factNames) {
    for (const [word, others] of Object.entries<string>(vocabulary[name])) {
      for (const text of [word, ...others.split(', ')]) assert.is(findWord(name, text), word, `${name} ${text}`)
    }
  }
})

library('reads a fact in any spelling and language, and a holiday with any apostrophe and without accents', () => {
  for (const text of ['rainy', ' RAINY ', 'Light_Rain', '下雨', 'llovizna'])
    assert.is(findWord('weather', text), 'rain')
  for (const text of ['raining cats and dogs', '', 'constructor']) assert.is(findWord('weather', text), undefined)
  assert.is(findWord('weather', 'Niebla'), 'fog')
  assert.is(findWord('holiday', 'Presidents’ Day'), 'washingtons_birthday')
  assert.is(findWord('holiday', 'ano nuevo'), 'new_years_day')
})

library('parses the version of prompts, also with its prefix', () => {
  assert.equal(['V4.3', 'diary-prompt-V3.0'].map(parsePromptVersion), ['V4.3', 'V3.0'])
  for (const text of ['v4.3', 'V4', 'diary-prompt-', 'diary-prompt-diary-prompt-V4.3'])
    assert.is(parsePromptVersion(text), undefined, text)
})

library('is frozen, so that no caller can change it', () => {
  const [scene] = newest.scenes
  assert.throws(() => Object.assign(scene?.title ?? {}, { es: '' }), /read only/)
})

const boundHoliday = /"weather": \[\](?=.*"holiday": \["independence_day"\])/
const faults: readonly (readonly [title: string, from: string | RegExp, to: string, expected: RegExp])[] = [
  ['another version', '"V4.3"', '"V4.2"', /version must be V4\.3/],
  ['a missing language', /,\n *"es": "Siesta.*"/, '', /\/scenes\/0\/title/],
  ['a word that is not in the vocabulary', '"rest", "cuddle"', '"snooze"', /\/scenes\/0\/facts\/activity/],
  ['a double space', 'Nap on the', 'Nap  on the', /sofa_nap: title en-US has a double space/],
  ['a placeholder', 'Nap on the', '{name} on the', /sofa_nap: title en-US has a placeholder/],
  ['half-width punctuation in Chinese', '睡一觉，', '睡一觉,', /sofa_nap: description zh-CN has half-width/],
  ['English as Chinese', '沙发小憩', 'Nap', /sofa_nap: title zh-CN has no Chinese/],
  ['a text without a full stop', 'softest cushion.', 'softest cushion', /sofa_nap: description en-US must end/],
  ['a duplicate scene', '"scene_id": "park_walk"', '"scene_id": "sofa_nap"', /sofa_nap: the scene ID occurs twice/],
  ['a duplicate title', '"Walk in the park"', '"Nap on the sofa"', /two scenes have the en-US title/],
  ['a day of leap years', '"month": 7, "day": 4', '"month": 2, "day": 29', /independence_day: date_rule names a day/],
  [
    'a holiday without a date',
    /\{ "kind": "fixed", "month": 7, "day": 4 \}/,
    'null',
    /independence_day: .* a date_rule/,
  ],
  ['a holiday bound to the sun', boundHoliday, '"weather": ["sun"]', /independence_day: a holiday has no weather/],
  ['a backdrop with another weather', '"weather": "rain"', '"weather": "sun"', /the backdrop shows another weather/],
  [
    'blossoms on any day of the year',
    '"place": "room", "season": "autumn"',
    '"place": "room", "season": "spring"',
    /sofa_nap: a scene of any day is in spring/,
  ],
  [
    'notes of a scene that does not exist',
    '"first_day_home", "moving_day"',
    '"first_day", "moving_day"',
    /notes: first_day is not among/,
  ],
  [
    'notes that remove an existing scene',
    '"removed": {}',
    '"removed": { "sofa_nap": "Old." }',
    /notes: sofa_nap is listed as removed but is still/,
  ],
]
for (const [title, from, to, expected] of faults) {
  library(`rejects ${title} and names the location`, () => {
    const { folder, close } = openTemporaryFolder()
    cpSync(new URL('../../catalog/diary/', import.meta.url), folder, { recursive: true })
    const file = join(folder, 'V4.3.json')
    const text = readFileSync(file, 'utf8')
    assert.is.not(text.replace(from, to), text)
    writeFileSync(file, text.replace(from, to))
    const isExpected = (error: unknown) =>
      isSvcError(error) && /^catalog\/diary\/V4\.3\.json: /.test(error.message) && expected.test(error.message)
    assert.throws(() => readSceneLibrary('V4.3', pathToFileURL(`${folder}/`)), isExpected)
    close()
  })
}

library.run()
