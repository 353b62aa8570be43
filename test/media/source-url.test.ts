import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readImageUrl } from '../../src/media/source-photo.js'

const sourceUrl = suite('address of a photo')
const photo = 'https://example.com/dog.jpg'

const rows: readonly (readonly [text: string, url: string | undefined])[] = [
  [photo, photo],
  [`  ${photo}\n`, photo],
  ['HTTP://Example.COM', 'http://example.com/'],
  [`[${photo}](${photo})`, photo],
  [`[my dog](${photo})`, photo],
  [`[](${photo})`, photo],
  ['[dog](https://example.com/dog_(1).jpg)', 'https://example.com/dog_(1).jpg'],
  [`[dog](<${photo}>)`, photo],
  [`[dog](${photo} "My dog")`, photo],
  [`[dog]( <${photo}> 'My dog' )`, photo],
  [`[dog](${photo} (My dog))`, photo],
  [`<${photo}>`, undefined],
  ['[http://[::1]/dog](http://[::1]/dog)', 'http://[::1]/dog'],
  ['https://example.com/a b.jpg?x=ü', 'https://example.com/a%20b.jpg?x=%C3%BC'],
  ['', undefined],
  ['dog.jpg', undefined],
  ['//example.com/dog.jpg', undefined],
  ['https:/example.com', undefined],
  ['ftp://example.com/dog.jpg', undefined],
  ['file:///etc/passwd', undefined],
  ['data:image/png;base64,AAAA', undefined],
  ['javascript:alert(1)', undefined],
  ['http://', undefined],
  ['http://[fe80::1%25eth0]/', undefined],
  ['[dog](dog.jpg)', undefined],
  [`![dog](${photo})`, undefined],
  [`[dog](${photo}`, undefined],
  [`https://example.com/${'a'.repeat(2028)}`, `https://example.com/${'a'.repeat(2028)}`],
  [`https://example.com/${'a'.repeat(2029)}`, undefined],
  ['['.repeat(100_000), undefined],
  [`[](${' '.repeat(6000)}x)`, undefined],
]
for (const [text, url] of rows) {
  sourceUrl(`reads ${JSON.stringify(text.slice(0, 60))} as ${url?.slice(0, 60) ?? 'no address'}`, () => {
    assert.is(readImageUrl(text), url)
  })
}

sourceUrl.run()
