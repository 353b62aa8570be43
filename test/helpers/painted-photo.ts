/** Photos of pets that are known by heart: painted, so that a test knows the coat. */
import sharp from 'sharp'

export interface PaintedPet {
  readonly coat: string
  readonly second: string
  readonly backdrop: string
}

export const paintedPets: Readonly<Record<string, PaintedPet>> = {
  black: { coat: '#26242a', second: '#3a3840', backdrop: '#7c9a58' },
  white: { coat: '#efece6', second: '#d9d4cb', backdrop: '#5f8a45' },
  ginger: { coat: '#d08a45', second: '#f1dcc0', backdrop: '#8fa0b5' },
  gray: { coat: '#8b8b90', second: '#5f5f66', backdrop: '#c9b59a' },
  brown: { coat: '#6e4526', second: '#4c2e18', backdrop: '#7aa050' },
  cream: { coat: '#e3c793', second: '#f3e6cc', backdrop: '#6f9a4a' },
  'black and white': { coat: '#222226', second: '#f2f0ee', backdrop: '#8c8070' },
  'brown in snow': { coat: '#8a5a30', second: '#e8d8c0', backdrop: '#f3f5f8' },
  'fawn on much grass': { coat: '#b88a50', second: '#e9dcc4', backdrop: '#4f9a2c' },
  'white in snow': { coat: '#f2efe9', second: '#ddd8d0', backdrop: '#e6ecf4' },
  spotted: { coat: '#eeeae2', second: '#2c2a2c', backdrop: '#6f8fb0' },
}

/** A JPEG: a body and a head on a plain backdrop. `share` is how much of the picture the pet takes, 0 to 1. */
export function paintPhoto({ coat, second, backdrop }: PaintedPet, share = 0.6): Promise<Buffer> {
  const dots = [210, 330, 470, 590].map(
    (x, index) => `<circle cx="${x}" cy="${390 + (index % 2) * 70}" r="30" fill="${second}"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="640">
    <rect width="800" height="640" fill="${backdrop}"/>
    <g transform="translate(400 330) scale(${Math.sqrt(share / 0.6)}) translate(-400 -330)">
      <ellipse cx="400" cy="400" rx="250" ry="170" fill="${coat}"/>${dots.join('')}
      <circle cx="400" cy="230" r="130" fill="${coat}"/>
      <ellipse cx="400" cy="420" rx="80" ry="100" fill="${second}"/><ellipse cx="400" cy="280" rx="50" ry="40" fill="${second}"/>
      <circle cx="350" cy="210" r="14"/><circle cx="450" cy="210" r="14"/><circle cx="400" cy="265" r="14"/>
    </g>
  </svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer()
}
