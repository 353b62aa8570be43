import type { Palette } from '../palette.js'
import type { LitLook, Rim } from '../pet/rim.js'
import { hexOf, labOfHex, lchOfLab, type Tone } from '../rig/oklab.js'
import { type Kit, lightOf } from './kit.js'
import { isIndoors, isSnowy, type SceneSetting } from './setting.js'

/** The eyes shine, lines stay dark, and the collar is recognized in any light. */
const own: readonly (keyof Palette)[] = ['ink', 'iris', 'irisDark', 'accent', 'accentDark']
/** The share of the scene's light on the pet, which is the nearest thing. */
const share = 0.5

/** Returns the look of a pet in the light of a setting: its colours, and the rim of its outline towards the light. */
export function lightPet(kit: Kit): LitLook {
  const { look, setting } = kit
  const lights = lightOf(setting)
  const rim = rimOf(kit)
  if (lights === undefined && rim === undefined) return look
  const entries = Object.entries(look.palette).map(([name, hex]) => {
    const isOwn = lights === undefined || own.some((colour) => colour === name)
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
  return { colour: hexOf(l, c, h), from: from as Rim['from'] }
}
