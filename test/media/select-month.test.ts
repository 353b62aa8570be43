import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSceneLibrary } from '../../src/catalog/diary.js'
import { defaultDiaryVersion } from '../../src/media/diary-versions.js'
import { type Day, selectCandidate } from '../../src/media/select-picture.js'

const month = suite('a month of diary pictures')
const { scenes } = readSceneLibrary(defaultDiaryVersion)
const createdAt = new Date('2026-10-01T00:00:00Z')
const candidates = scenes.map(({ scene_id: sceneId }) => ({ imageId: sceneId, sceneId, isOwn: false, createdAt }))

/** November 2026 of a dog, in its owner's words: weather, location, activity, mood and the name of the day. */
const november: readonly (readonly [day: number, facts: string, scene: string, score: number, matched: string])[] = [
  [1, 'sunny, park, walk, happy', 'autumn_leaves', 0.68, 'weather location activity mood'],
  [2, 'cloudy, home, nap, sleepy', 'sofa_nap', 0.63, 'location activity mood'],
  [3, 'rain, home, watching, calm', 'rainy_window', 0.68, 'weather location activity mood'],
  [4, 'rain, city, walk, happy', 'rain_walk', 0.68, 'weather location activity mood'],
  [5, 'fog, field, walk, calm', 'foggy_morning', 0.68, 'weather location activity mood'],
  [6, 'cloudy, office, work, calm', 'home_office', 0.63, 'location activity mood'],
  [7, 'sunny, park, friends, playful', 'friends_play', 0.68, 'weather location activity mood'],
  [8, 'sunny, mountain, hike, proud', 'mountain_hike', 0.68, 'weather location activity mood'],
  [9, 'cloudy, vet, checkup, nervous', 'vet_visit', 0.63, 'location activity mood'],
  [10, 'windy, field, run, excited', 'windy_kite', 0.68, 'weather location activity mood'],
  [11, 'sunny, home, rest, calm', 'veterans_day', 0.76, 'mood holiday'],
  [12, 'storm, home, cuddle, scared', 'storm_blanket', 0.68, 'weather location activity mood'],
  [13, 'rain, park, play, excited', 'puddle_splash', 0.68, 'weather location activity mood'],
  [14, 'cloudy, home, party, happy, birthday', 'birthday', 0.92, 'location activity mood holiday'],
  [15, 'cloudy, car, drive, curious', 'car_ride', 0.63, 'location activity mood'],
  [16, 'sunny, home, nap, calm', 'sunny_windowsill', 0.68, 'weather location activity mood'],
  [17, 'sunny, city, walk, curious', 'city_walk', 0.68, 'weather location activity mood'],
  [18, 'cloudy, home, dinner, excited', 'dinner_time', 0.63, 'location activity mood'],
  [19, 'sunny, yard, play, playful', 'ball_chase', 0.68, 'weather location activity mood'],
  [20, 'cloudy, groomer, bath, nervous', 'grooming_day', 0.63, 'location activity mood'],
  [21, 'sunny, cafe, rest, happy', 'sidewalk_cafe', 0.68, 'weather location activity mood'],
  [22, 'sunny, beach, run, happy', 'beach_run', 0.68, 'weather location activity mood'],
  [23, 'rain, home, nap, sleepy', 'rainy_window', 0.64, 'weather location activity'],
  [24, 'cloudy, park, training, proud, graduation', 'training_graduation', 0.92, 'location activity mood holiday'],
  [25, 'cloudy, forest, walk, curious', 'forest_trail', 0.68, 'weather location activity mood'],
  [26, 'rain, home, dinner, happy', 'thanksgiving_day', 0.76, 'mood holiday'],
  [27, 'cloudy, home, cuddle, loving', 'sofa_nap', 0.63, 'location activity mood'],
  [28, 'snow, yard, play, excited', 'snow_play', 0.65, 'weather location activity mood'],
  [29, 'snow, home, watching, calm', 'snowy_window', 0.65, 'weather location activity mood'],
  [30, 'clear, city, watching, calm', 'skyline_evening', 0.68, 'weather location activity mood'],
]
for (const [day, words, scene, score, matched] of november) {
  const date = `2026-11-${String(day).padStart(2, '0')}`
  const [weather, location, activity, mood, holiday] = words.split(', ')
  const facts: Day['facts'] = { species: 'dog', weather, location, activity, mood, holiday }
  month(`${date}, ${words}: ${scene}`, () => {
    const choice = selectCandidate(candidates, scenes, { date, facts })
    assert.equal([choice?.candidate.sceneId, choice?.score, choice?.matched.join(' ')], [scene, score, matched])
  })
}

month.run()
