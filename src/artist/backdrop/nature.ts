import { point } from '../rig/points.js'
import { ellipse, fillOpacity, num, path, rect, stroke } from '../rig/svg.js'
import { hues, type Stage, verticalGradient, width } from './stage.js'

/** Sky with a sun and clouds, down to the horizon. */
export function sky(stage: Stage, horizon: number, sun: number): string {
  const { tone } = stage
  const colours = [
    [0, tone(0.83, 0.065, hues.sky)],
    [0.7, tone(0.93, 0.035, hues.sky)],
    [1, tone(0.96, 0.03, hues.sun)],
  ] as const
  const drift = 10 * Math.sin(2 * Math.PI * stage.phase)
  return [
    verticalGradient('sky', colours),
    rect(0, 0, width, horizon + 4, 'url(#sky)'),
    ellipse(point(sun, 150), 94, 94, '#fff', 'fill-opacity=".22"'),
    ellipse(point(sun, 150), 62, 62, '#fff2c4'),
    cloud(170 + drift, 190, 1),
    cloud(560 - drift, 118, 0.66),
    cloud(420 + drift, 300, 0.5),
  ].join('')
}

export function cloud(x: number, y: number, scale: number, colour = '#fff', opacity = 0.75): string {
  const at = `translate(${num(x)} ${num(y)}) scale(${scale})`
  const d = 'M-110 30C-140 30-146-8-112-12C-112-48-62-58-44-34C-28-76 42-70 48-26C84-36 112-4 92 18C90 26 84 30 74 30Z'
  return path(d, colour, `${fillOpacity(opacity)} transform="${at}"`)
}

/** A row of hills across the picture; it tiles at 1024 pixels. */
export function hills(colour: string, top: number, height: number, shape = 0): string {
  const [a, b] = shape === 0 ? [0.95, 0.35] : [0.3, 1]
  const y = (part: number) => num(top + height * (1 - part))
  return path(
    `M0 ${y(0.4)}C150 ${y(a)} 330 ${y(a)} 512 ${y(0.4)}C690 ${y(b - 0.4)} 860 ${y(b)} 1024 ${y(0.4)}V${num(top + height + 60)}H0Z`,
    colour,
  )
}

export interface TreeColours {
  readonly trunk: string
  readonly leaves: string
  readonly light: string
}

export function tree(x: number, foot: number, scale: number, { trunk, leaves, light }: TreeColours): string {
  const crown = 'M-78-118C-96-160-70-196-46-200C-34-244 40-246 52-204C84-198 98-154 78-122C60-84-60-84-78-118Z'
  const shine = 'M-58-136C-66-168-46-186-28-188C-18-214 22-218 30-196C0-190-22-176-30-150C-36-134-50-126-58-136Z'
  return [
    `<g transform="translate(${num(x)} ${num(foot)}) scale(${scale})">`,
    path('M-9 4L-6-110H8L11 4Z', trunk),
    path(crown, leaves),
    path(shine, light, 'fill-opacity=".6"'),
    '</g>',
  ].join('')
}

export function bush(x: number, foot: number, scale: number, leaves: string, light: string): string {
  const body = 'M-110 4C-134-34-104-66-76-58C-66-100-6-104 8-68C34-96 84-80 84-46C112-48 124-14 108 4Z'
  const shine = 'M-88-22C-92-44-72-50-58-44C-50-70-22-74-10-58C-34-54-44-44-48-28C-58-18-80-12-88-22Z'
  return `<g transform="translate(${num(x)} ${num(foot)}) scale(${scale})">${path(body, leaves)}${path(shine, light, 'fill-opacity=".6"')}</g>`
}

/** A few blades of grass. */
export function tuft(x: number, y: number, scale: number, colour: string): string {
  const s = (value: number) => num(value * scale)
  const blades = `M${x} ${y}q${s(-4)} ${s(-14)} ${s(-13)} ${s(-20)}M${x} ${y}q0 ${s(-18)} ${s(2)} ${s(-29)}M${x} ${y}q${s(5)} ${s(-12)} ${s(14)} ${s(-18)}`
  return stroke(blades, colour, 4.6 * scale)
}

export function flower(x: number, y: number, size: number, petals: string, heart: string): string {
  const round = [0, 1, 2, 3, 4].map((index) => {
    const angle = (index * 72 - 90) * (Math.PI / 180)
    return ellipse(point(x + Math.cos(angle) * size, y + Math.sin(angle) * size), size * 0.72, size * 0.72, petals)
  })
  return round.join('') + ellipse(point(x, y), size * 0.6, size * 0.6, heart)
}
