import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fitText, renderTable } from '../../src/text/table.js'

const table = suite('table')

const columns = [
  { title: 'id' },
  { title: 'name', isCut: true },
  { title: 'note' },
  { title: 'cost', isNumber: true },
] as const

table('aligns columns below a header, numbers to the right, and leaves out empty columns', () => {
  const rows = [
    ['a1', 'Rex', '', '$0.00'],
    ['b22', 'Chelsea', '', '$12.50'],
  ]
  assert.equal(renderTable(columns, rows), ['id   name       cost', 'a1   Rex       $0.00', 'b22  Chelsea  $12.50'])
})

table('measures characters of double width', () => {
  const rows = [
    ['a', '王小明', 'x', '1'],
    ['b', 'Tom', 'y', '2'],
  ]
  assert.equal(renderTable(columns, rows).slice(1), ['a   王小明  x        1', 'b   Tom     y        2'])
})

table('cuts only the columns that may be cut, to fit the width', () => {
  const [, row] = renderTable(columns, [['a'.repeat(10), 'a name that is much too long', '', '$1.00']], 30)
  assert.is(row, 'aaaaaaaaaa  a name tha…  $1.00')
  assert.is(row?.length, 30)
  const [, narrow] = renderTable(columns, [['a'.repeat(10), 'a name that is much too long', '', '$1.00']], 10)
  assert.is(narrow, 'aaaaaaaaaa  a name …  $1.00')
})

table('fits a text to a width', () => {
  assert.equal([fitText('Rex', 5), fitText('Chelsea', 5), fitText('王小明', 5)], ['Rex  ', 'Chel…', '王小…'])
})

table('leaves out columns where cutting does not suffice, the last first', () => {
  const wide = [{ title: 'id' }, { title: 'made', isLeftOut: true }, { title: 'end', isLeftOut: true }] as const
  const rows = [['a1234567', '2026-10-20', '2026-10-21']]
  assert.equal(renderTable(wide, rows, 30), ['id        made', 'a1234567  2026-10-20'])
  assert.equal(renderTable(wide, rows, 32)[1], 'a1234567  2026-10-20  2026-10-21')
  assert.equal(renderTable(wide, rows, 19), ['id', 'a1234567'])
  assert.is(renderTable(wide, rows)[1], 'a1234567  2026-10-20  2026-10-21')
})

table.run()
