import { startTheme } from '../shared/theme.js'
import { startAvatars } from './avatar.js'
import { Diary } from './diary.js'
import { startFaults } from './faults.js'
import { startHealth } from './health.js'
import { startHome } from './home.js'
import { findGuestPet, listTasks, takeFragment } from './key.js'
import { KeyForm } from './key-form.js'
import { startMotion } from './motion.js'
import { Pets } from './pets.js'
import { startPhoto } from './photo.js'
import { Playback } from './playback.js'
import { RequestList } from './requests.js'
import { startStage } from './stage.js'
import { Step } from './step.js'

/** Runs first, so that the key does not stay in the address. */
const isKeyTaken = takeFragment()

startTheme()
const pets = new Pets()
const hero = new Step('#photo')
const avatars = startAvatars(hero, pets)
const requests = new RequestList()
const key = new KeyForm({
  onKey: () => {
    for (const task of listTasks()) void avatars.adopt(task)
    void diary.load()
    home.fill()
    health.fill()
    document.documentElement.classList.toggle('guest', findGuestPet() !== undefined)
    if (findGuestPet() === undefined) void requests.watch()
  },
  onForget: () => requests.clear(),
})
// Before the diary: the cards of another pet need its name when the diary restores its weather.
const home = startHome(pets, key)
const diary = new Diary(pets, key)
const playback = new Playback()
const stage = startStage(pets, playback)
startMotion(pets, playback, hero)
startPhoto(pets, avatars, stage, key)
const health = startHealth(pets, key)
startFaults()
key.start(isKeyTaken)

// The address of another `svc demo`, opened in this tab.
addEventListener('hashchange', () => {
  if (location.hash.includes('key=')) location.reload()
})
