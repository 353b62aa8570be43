/** Builds the header of an MP4 video of this length, without pictures. */
export function buildMp4(seconds: number): Buffer {
  const header = Buffer.alloc(100)
  header.writeUInt32BE(1000, 12)
  header.writeUInt32BE(seconds * 1000, 16)
  return Buffer.concat([box('ftyp', Buffer.from('isom0000isom')), box('moov', box('mvhd', header)), box('mdat')])
}

function box(type: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}
