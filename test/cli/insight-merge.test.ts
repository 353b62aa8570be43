// run: takes 8 s
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { copyProgram } from '../helpers/desk.js'
import { reportSkip } from '../helpers/skip.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const merges = suite('approvals of two reviewers on two branches')
const { folder, close } = openTemporaryFolder()
merges.after(close)

const identity = ['-c', 'user.name=svc team', '-c', 'user.email=team@localhost', '-c', 'commit.gpgsign=false']
const git = (...args: string[]) => spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' })
const hasGit = spawnSync('git', ['--version']).status === 0
/** Defines a test on the main branch as it was signed, with git. */
const onBranches = (title: string, test: () => Promise<void>) =>
  merges(title, async () => {
    if (!hasGit) return reportSkip(`${title}: git is not installed`)
    git('checkout', '--force', 'main')
    await test()
  })

if (hasGit) {
  copyProgram(folder)
  git('init', '--initial-branch', 'main')
  git('add', 'catalog')
  git('commit', '--message', 'signed')
}

const file = (name: string) => join(folder, 'catalog/insight', name)
const edit = (name: string, from: string, to: string) => {
  const before = readFileSync(file(name), 'utf8')
  assert.ok(before.includes(from), `${name} has no ${from}`)
  writeFileSync(file(name), before.replace(from, to))
}
const session = openSession(folder)
merges.after(session.close)
const insight = (...args: string[]) => session.run(['insight', ...args], { cwd: folder })
const label = 'health-detail-copy-2099.1'
const sign = async (...args: string[]) => {
  const { status, stderr } = await insight('sign', '--by', 'Ann Lee', '--yes', ...args)
  assert.is(status, 0, stderr)
}
const signIn = (locale: string, name = label) => sign('--locale', locale, '--rule-version', name)
/** Runs an edit on a new branch and commits it. */
async function onBranch(name: string, start: string, change: () => unknown): Promise<void> {
  git('checkout', '-B', name, start)
  await change()
  git('commit', '--all', '--message', name)
}
const merge = (name: string) => {
  const { status, stdout } = git('merge', '--no-edit', name)
  assert.is(status, 0, stdout)
}
const readCheck = async () => {
  const { status, stdout } = await insight('check')
  assert.is(status, 0, stdout)
  return stdout
}
/** Returns the label in responses. */
const served = async () =>
  JSON.parse((await insight('render', '--json', 'fixtures/insight/BARK_TODAY.json')).stdout).results[0].generation
    .ruleVersion

const editChinese = () => edit('rest.json', '休息了{duration}{wakes}，', '共休息了{duration}{wakes}，')
const editSpanish = () => edit('rest.json', '{wakes} y ', '{wakes}, y ')

for (const [how, other] of [
  ['the same label', label],
  ['two labels', 'health-detail-copy-2099.2'],
] as const) {
  onBranches(`merge without a conflict if each edits and signs another language under ${how}`, async () => {
    const versions = [['chinese', editChinese, 'zh-CN', label] as const, ['spanish', editSpanish, 'es', other] as const]
    for (const [name, change, locale, under] of versions) {
      await onBranch(name, 'main', async () => {
        change()
        await signIn(locale, under)
      })
      await readCheck()
      assert.is(await served(), under)
    }
    merge('chinese')
    const version = await served()
    assert.match(version, new RegExp(`^${other.replaceAll('.', '\\.')}\\+[0-9a-f]{8}$`))
    assert.match(await readCheck(), `no fault, all signed off (${version})`)
    git('checkout', 'chinese')
    merge('spanish')
    assert.is(await served(), version, 'the order of the merge does not matter')
    edit('rest.json', '{wakes}, y ', '{wakes}; y ')
    assert.is(await served(), `${other}+edited`)
    git('checkout', '--', '.')
    const next = 'health-detail-copy-2099.3'
    await sign('--rule-version', next)
    assert.is(await served(), next, 'the next label names the merged texts')
    await readCheck()
  })
}

onBranches('merge if each signs one language of texts that were edited before', async () => {
  await onBranch('edited', 'main', () => {
    editChinese()
    editSpanish()
  })
  await onBranch('chinese', 'edited', () => signIn('zh-CN'))
  await onBranch('spanish', 'edited', () => signIn('es'))
  merge('chinese')
  assert.match(await readCheck(), `all signed off (${label})`)
  assert.is(await served(), label)
  edit('rest.json', '共休息了', '总休息了')
  assert.match((await insight('sign', '--by', 'Ann Lee', '--yes', '--rule-version', label)).stderr, /version-old/)
  await sign('--rule-version', 'health-detail-copy-2099.2')
  const { labels } = JSON.parse(readFileSync(file('signoff.json'), 'utf8'))
  assert.ok(labels['en-US'][label], 'the label that two branches completed has its row')
  await readCheck()
})

onBranches('name the conflict, its place and the fix if both edit the same words', async () => {
  await onBranch('one', 'main', () => edit('rest.json', '{wakes} y ', '{wakes}, y '))
  await onBranch('other', 'main', () => edit('rest.json', '{wakes} y ', '{wakes} e '))
  assert.is(git('merge', 'one').status, 1)
  const line =
    readFileSync(file('rest.json'), 'utf8')
      .split('\n')
      .findIndex((text) => text.startsWith('<<<<<<<')) + 1
  const { status, stdout } = await insight('check')
  assert.is(status, 1)
  const words = 'A merge left two versions of these lines (<<<<<<<).'
  assert.match(stdout, `catalog/insight/rest.json\n  ${line}:1  file-conflict  ${words}\n      Keep one side`)
  const rendered = await insight('render', 'fixtures/insight/BARK_TODAY.json')
  assert.is(rendered.status, 2)
  assert.match(rendered.stderr, `svc: catalog/insight/rest.json, line ${line}: ${words} Keep one side`)
  writeFileSync(file('version.json'), '<<<<<<< HEAD\n{}\n')
  const both = JSON.parse((await insight('check', '--json')).stdout).findings
  assert.equal(
    both.map((found: Record<string, unknown>) => `${found.file}:${found.line} ${found.code}`),
    [`catalog/insight/rest.json:${line} file-conflict`, 'catalog/insight/version.json:1 file-conflict'],
  )
  assert.match((await insight('sign', '--by', 'Ann Lee')).stderr, `catalog/insight/version.json, line 1: ${words}`)
})

merges.run()
