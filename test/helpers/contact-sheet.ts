/**
 * Draws contact sheets of the stub's artwork for people to look at: `npm run contact-sheet -- FOLDER [PHOTO…]`.
 * Each photo gives one sheet a species with the four stills, and one film strip of twelve moments a pose.
 * A photo whose file name starts with dog or cat is drawn as that alone. Without photos named, the samples are drawn,
 * one sheet a species with painted pets of many coats, and one a version of the scene library and species with all its
 * scenes, six in a row.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { drawPose } from '../../src/artist/draw-pose.js'
import { drawScene } from '../../src/artist/draw-scene.js'
import { type Look, readLook, type Species } from '../../src/artist/look.js'
import { poses, stillPhase } from '../../src/artist/pet/poses/poses.js'
import { readSceneLibrary } from '../../src/catalog/diary.js'
import { diaryVersions } from '../../src/media/diary-versions.js'
import { fitsSpecies } from '../../src/media/scenes.js'
import { paintedPets, paintPhoto } from './painted-photo.js'

const moments = 12
const [folder, ...given] = process.argv.slice(2)
if (!folder) throw new Error('Name a folder for the sheets: npm run contact-sheet -- FOLDER [PHOTO…]')

sharp.concurrency(1)
sharp.cache(false)
await mkdir(folder, { recursive: true })
for (const photo of given.length > 0 ? given : await samplePhotos()) {
  const bytes = await readFile(photo)
  for (const species of speciesOf(photo)) {
    const name = `${basename(photo, extname(photo))}-${species}`
    const look = await readLook(bytes, species)
    await writeFile(join(folder, `${name}.png`), await stillsOf(look))
    await writeFile(join(folder, `${name}-film.png`), await filmsOf(look))
    console.log(name, JSON.stringify(look.traits), `${drawPose(look, 'walking', 0).length} bytes`)
  }
}
if (given.length === 0) {
  for (const species of ['dog', 'cat'] as const) {
    await writeFile(join(folder, `coats-${species}.png`), await coatsOf(species))
    await writeScenes(folder, species)
  }
}

async function samplePhotos(): Promise<string[]> {
  const photos = fileURLToPath(new URL('../../fixtures/photos/', import.meta.url))
  return (await readdir(photos)).filter((file) => /^(dog|cat).*\.jpg$/.test(file)).map((file) => join(photos, file))
}

function speciesOf(photo: string): Species[] {
  const named = (['dog', 'cat'] as const).filter((species) => basename(photo).startsWith(species))
  return named.length > 0 ? named : ['dog', 'cat']
}

function stillsOf(look: Look): Promise<Buffer> {
  return sheet(
    poses.map((pose) => drawPose(look, pose, stillPhase[pose], 760)),
    2,
    760,
  )
}

function filmsOf(look: Look): Promise<Buffer> {
  const frames = poses.flatMap((pose) =>
    Array.from({ length: moments }, (_, index) => drawPose(look, pose, index / moments, 256)),
  )
  return sheet(frames, moments / 2, 256)
}

async function coatsOf(species: Species): Promise<Buffer> {
  const drawings: string[] = []
  for (const [index, pet] of Object.values(paintedPets).entries()) {
    const look = await readLook(await paintPhoto(pet), species)
    for (const pose of [poses[index % 2], poses[2 + (index % 2)]] as const) {
      if (pose) drawings.push(drawPose(look, pose, stillPhase[pose], 400))
    }
  }
  return sheet(drawings, 4, 400)
}

async function writeScenes(folder: string, species: Species): Promise<void> {
  const photo = await readFile(new URL(`../../fixtures/photos/${species}.jpg`, import.meta.url))
  const look = { ...(await readLook(photo, species)), medallion: '' }
  for (const version of diaryVersions) {
    const scenes = readSceneLibrary(version).scenes.filter((scene) => fitsSpecies(scene, species))
    const drawings = scenes.map(({ recommended_pose: pose, backdrop }) => drawScene(look, { pose, backdrop }, 320))
    await writeFile(join(folder, `${version}-${species}.png`), await sheet(drawings, 6, 320))
    console.log(`${version}-${species}`, scenes.map(({ scene_id }) => scene_id).join(' '))
  }
}

async function sheet(drawings: readonly string[], columns: number, side: number): Promise<Buffer> {
  const tiles = drawings.map((drawing, index) => ({
    input: Buffer.from(drawing),
    left: (index % columns) * side,
    top: Math.floor(index / columns) * side,
  }))
  const size = { width: columns * side, height: Math.ceil(drawings.length / columns) * side }
  return sharp({ create: { ...size, channels: 3, background: '#fff' } })
    .composite(tiles)
    .png()
    .toBuffer()
}
