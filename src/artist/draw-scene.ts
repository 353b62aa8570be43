import type { Look } from './look.js'
import type { Palette } from './palette.js'
import { drawPet } from './pet/draw-pet.js'
import { type DrawnPose, drawnPose, type Pose, scenePoses, stanceOf } from './pet/poses/poses.js'
import type { LitLook, Rim } from './pet/rim.js'
import type { Stance } from './pet/stance.js'
import { clamp, hexOf, labOfHex, lchOfLab, type Tone } from './rig/oklab.js'
import { distance, type Point, point } from './rig/points.js'
import { drawDocument, ellipse } from './rig/svg.js'
import { drawCover, drawGround, groundColors, grounds } from './scenery/grounds/grounds.js'
import { type Kit, kitOf, lightOf, outdoorLight, weatherLight } from './scenery/kit.js'
import { at } from './scenery/marks.js'
import { places } from './scenery/places/places.js'
import { type PlainProp, props } from './scenery/props/props.js'
import { baseOf, isIndoors, isSnowy, type SceneSetting, type Season, type Staging } from './scenery/setting.js'
import { preferences, type Slot, slotPlaceOf } from './scenery/slots.js'
import { drawWeather } from './scenery/weather.js'
import { windowCenter } from './scenery/window.js'

/** A picture of a scene; unknown words of `backdrop` are ignored. */
export interface DrawnScene {
  readonly pose: Pose
  readonly backdrop: Readonly<Record<string, unknown>>
}

/** Draws a pet in a scene as an SVG document of `size` by `size` pixels. */
export function drawScene(look: Look, { pose, backdrop }: DrawnScene, size = 1024): string {
  const setting = readSetting(backdrop)
  const drawn = drawnPose(pose, setting.pet.pose)
  return drawIn(kitOf(look, setting, drawn), stanceOf(look, drawn), size)
}

/** Draws a pet in the setting of `kit`. */
export function drawIn(kit: Kit, stance: Stance, size: number): string {
  const { look, setting, stage } = kit
  const { layers, sight } = placeProps(kit, stance.chest)
  const { view, back, beside, over, worn, front } = layers
  const attentive = sight ? watch(kit.pose, stance, stage.toPet(sight)) : stance
  return drawDocument(
    size,
    groundColors[baseOf[setting.place]](kit),
    places[setting.place](kit, view),
    drawGround(kit),
    back,
    drawCover(kit),
    beside,
    over,
    stage.put(drawPet(lightPet(kit), attentive) + worn),
    front,
    isIndoors(setting) ? '' : drawWeather(kit, true),
    drawMedallion(look),
  )
}

const asleep: readonly DrawnPose[] = ['asleep', 'curled']
const onTheMove: readonly DrawnPose[] = ['walking', 'running']

/** A sleeping pet looks at nothing, and one that moves does not look back. */
function watch(pose: DrawnPose, stance: Stance, target: Point): Stance {
  const isBehind = target.x < stance.head.at.x
  return asleep.includes(pose) || (isBehind && onTheMove.includes(pose)) ? stance : lookAt(stance, target)
}

const center = { x: 910, y: 910 }
const radius = 80

/** The photo's crop in a ring, in the corner that every pose leaves free; nothing without a crop. */
function drawMedallion({ medallion, palette }: Look): string {
  if (medallion === '') return ''
  const { x, y } = center
  const side = radius * 2
  const image = `<image href="${medallion}" x="${x - radius}" y="${y - radius}" width="${side}" height="${side}" clip-path="url(#photo)"/>`
  return [
    ellipse({ x, y: y + 5 }, radius + 13, radius + 13, palette.ink, 'fill-opacity=".16"'),
    ellipse(center, radius + 13, radius + 13, '#fff'),
    ellipse(center, radius + 6, radius + 6, palette.accent),
    `<clipPath id="photo">${ellipse(center, radius, radius, '#000')}</clipPath>`,
    image,
  ].join('')
}

/** The eyes shine, lines stay dark, and the collar is recognized in any light. */
const own: readonly (keyof Palette)[] = ['ink', 'iris', 'irisDark', 'accent', 'accentDark']
/** The share of the scene's light on the pet, which is the nearest thing. */
const share = 0.5

/** Returns the look of a pet in the light of a setting: its colors, and the rim of its outline towards the light. */
export function lightPet(kit: Kit): LitLook {
  const { look, setting } = kit
  const lights = lightOf(setting)
  const rim = rimOf(kit)
  if (lights === undefined && rim === undefined) return look
  const entries = Object.entries(look.palette).map(([name, hex]) => {
    const isOwn = lights === undefined || own.some((color) => color === name)
    return [name, isOwn ? hex : hexOf(...lights(lchOfHex(hex), share))]
  })
  return { ...look, palette: Object.fromEntries(entries) as Palette, ...(rim && { rim }) }
}

function lchOfHex(hex: string): Tone {
  const { l, c, h } = lchOfLab(labOfHex(hex))
  return [l, c, h]
}

/** The first that applies: a fire, then lamps and windows inside, then the sky. The sun and the moon are on the right. */
const rims: readonly (readonly [
  applies: (setting: SceneSetting) => boolean,
  tone: Tone,
  side: 'left' | 'right' | 'above',
])[] = [
  [({ props }) => props.includes('fireplace'), [0.8, 0.14, 1.05], 'left'],
  [({ props }) => props.includes('campfire'), [0.8, 0.15, 1.05], 'right'],
  [({ props, time }) => props.includes('tree_lights') && time === 'evening', [0.88, 0.1, 1.4], 'left'],
  [(setting) => isIndoors(setting) && setting.time === 'evening', [0.88, 0.09, 1.2], 'right'],
  [(setting) => isIndoors(setting) && setting.time === 'night', [0.86, 0.09, 1.35], 'right'],
  [isIndoors, [0, 0, 0], 'above'],
  [({ time }) => time === 'night', [0.78, 0.06, 4.5], 'right'],
  [({ time }) => time === 'evening', [0.84, 0.13, 1], 'right'],
  [isSnowy, [0.97, 0.02, 4.2], 'above'],
  [({ weather }) => weather === 'rain' || weather === 'storm', [0.86, 0.03, 4.2], 'above'],
  [({ weather }) => weather === 'fog', [0.92, 0.015, 4.2], 'above'],
  [({ time }) => time === 'morning', [0.93, 0.06, 1.4], 'right'],
]

function rimOf({ setting, stage }: Kit): Rim | undefined {
  const found = rims.find(([applies]) => applies(setting))
  if (!found || found[1][0] === 0) return undefined
  const [, [l, c, h], side] = found
  const from = side === 'above' ? 0 : (side === 'right' ? 1 : -1) * stage.side
  return { color: hexOf(l, c, h), from: from as Rim['from'] }
}

const seasons: Readonly<Record<Season, true>> = { spring: true, summer: true, autumn: true, winter: true }

/** Reads the backdrop of a scene. Unknown or missing words default to a sunny summer day in a room without props,
 * with the pet in the middle. */
export function readSetting(backdrop: Readonly<Record<string, unknown>>): SceneSetting {
  const place = wordOf(places, backdrop.place) ?? 'room'
  const named = Array.isArray(backdrop.props) ? backdrop.props : []
  return {
    place,
    season: wordOf(seasons, backdrop.season) ?? 'summer',
    weather: wordOf(weatherLight, backdrop.weather) ?? 'sun',
    time: wordOf(outdoorLight, backdrop.time_of_day) ?? 'day',
    ground: wordOf(grounds, backdrop.ground) ?? baseOf[place],
    props: [...new Set(named)].flatMap((word) => wordOf(props, word) ?? []),
    pet: readStaging(backdrop.pet),
  }
}

function readStaging(pet: unknown): Staging {
  const { pose, faces, x, scale } = typeof pet === 'object' && pet !== null ? (pet as Record<string, unknown>) : {}
  const posed = wordOf(scenePoses, pose)
  return {
    ...(posed && { pose: posed }),
    ...(faces === 'left' && { faces }),
    ...(isWithin(x, -160, 160) && { x }),
    ...(isWithin(scale, 0.6, 1.1) && { scale }),
  }
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

function wordOf<Word extends string>(table: Readonly<Record<Word, unknown>>, word: unknown): Word | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? (word as Word) : undefined
}

type Layer = 'view' | 'back' | 'beside' | 'over' | 'worn' | 'front'

const layerOf: Readonly<Record<Slot, Layer>> = {
  left: 'beside',
  right: 'beside',
  air: 'beside',
  front: 'front',
  middle: 'front',
}

interface PlacedProps {
  /** The drawings from far to near; `worn` is in the pet's own coordinates. */
  readonly layers: Readonly<Record<Layer, string>>
  /** The point of the picture that the pet looks at: the first prop that draws the eye. */
  readonly sight: Point | undefined
}

/** Draws the props of a setting by layer. Each slot holds one; a prop without a free slot shares its first. */
function placeProps(kit: Kit, chest: Point): PlacedProps {
  const layers: Record<Layer, string> = { view: '', back: '', beside: '', over: '', worn: '', front: '' }
  const taken = new Set<Slot>()
  let sight: Point | undefined
  for (const word of kit.setting.props) {
    const named = props[word]
    if ('nests' in named && named.nests.includes(kit.pose)) {
      layers.over += named.draw(kit)
      layers.front = (named.rim?.(kit) ?? '') + layers.front
      continue
    }
    const prop = 'nests' in named ? named.else : named
    if ('layer' in prop) {
      layers[prop.layer] += prop.layer === 'worn' ? at(chest.x, chest.y, prop.draw(kit), 0.62) : prop.draw(kit)
      sight ??= sightOf(kit, prop)
      continue
    }
    const wanted = preferences[prop.slot](kit.pose)
    const slot = wanted.find((each) => !taken.has(each)) ?? wanted[0] ?? 'front'
    taken.add(slot)
    const { x, y, scale } = slotPlaceOf(kit, slot)
    const drawing = at(x, y, prop.draw(kit), scale)
    // Things in the air are behind those on the ground.
    if (slot === 'air') layers.beside = drawing + layers.beside
    else layers[layerOf[slot]] += drawing
    if (prop.sight) sight ??= point(x + prop.sight.x * scale, y + prop.sight.y * scale)
  }
  return { layers, sight }
}

/** A distant thing is seen through the window of a room. */
function sightOf(kit: Kit, prop: PlainProp): Point | undefined {
  const isView = 'layer' in prop && prop.layer === 'view'
  return prop.sight && isView && isIndoors(kit.setting) ? windowCenter : prop.sight
}

/** Beyond this distance behind the head, a pet turns its head to look. */
const behind = -90

/** Turns head and open eyes to a point: a head tilts only so far, the eyes do the rest. */
export function lookAt(stance: Stance, target: Point): Stance {
  const { at, degrees } = stance.head
  const turned = target.x - at.x < behind
  const [ahead, down] = [Math.abs(target.x - at.x), target.y - at.y]
  const slope = clamp((Math.atan2(down, ahead + 80) * 180) / Math.PI, -34, 34) * 0.42
  const away = distance(at, target) || 1
  return {
    ...stance,
    head: { at, degrees: degrees + (turned ? -slope : slope), turned },
    face: { ...stance.face, eyes: 1, gaze: point(ahead / away, down / away) },
  }
}
