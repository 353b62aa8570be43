import type { Look } from './look.js'
import { ellipse } from './rig/svg.js'

const centre = { x: 910, y: 910 }
const radius = 80

/** The photo's crop in a ring, in the corner that every pose leaves free; nothing without a crop. */
export function drawMedallion({ medallion, palette }: Look): string {
  if (medallion === '') return ''
  const { x, y } = centre
  const side = radius * 2
  const image = `<image href="${medallion}" x="${x - radius}" y="${y - radius}" width="${side}" height="${side}" clip-path="url(#photo)"/>`
  return [
    ellipse({ x, y: y + 5 }, radius + 13, radius + 13, palette.ink, 'fill-opacity=".16"'),
    ellipse(centre, radius + 13, radius + 13, '#fff'),
    ellipse(centre, radius + 6, radius + 6, palette.accent),
    `<clipPath id="photo">${ellipse(centre, radius, radius, '#000')}</clipPath>`,
    image,
  ].join('')
}
