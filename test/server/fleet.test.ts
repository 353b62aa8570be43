import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { globSync } from 'tinyglobby'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { knownVariables, loadConfig } from '../../src/config.js'
import type { Json } from '../helpers/media.js'
import { reportSkip } from '../helpers/skip.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

/** The library has no types. */
const yaml: { load(text: string): Json; loadAll(text: string): Json[] } = createRequire(import.meta.url)('js-yaml')
const page = readFileSync('src/server/fleet.md', 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = '', text = '']) => ({ kind, text }))
const blocksOf = (kind: string) => blocks.filter((block) => block.kind === kind).map(({ text }) => text)
const [compose = '', kubernetes = ''] = blocksOf('yaml')
const fleet = suite('the page for several machines')

fleet('names only options of svc that exist', () => {
  const sources = globSync(['src/commands/**/*.ts', 'src/cli.ts']).map((file) => readFileSync(file, 'utf8'))
  const declared = new Set(sources.flatMap((text) => text.match(/(?<=['"`])(-\w, )?--[a-z][\w-]*/g) ?? []))
  const isOthers =
    /^--(chown|detach|encoding|from|global|ignore-existing|ignore-scripts|locale|no-install-recommends|now|omit|pack-destination|pets|publish|rm|signal|slots)$/
  const named = [...page.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([option]) => option)
  assert.ok(named.length > 20)
  const unknown = named.filter((option) => !declared.has(option) && !isOthers.test(option) && !isPlan(option))
  assert.equal(unknown, [])
})

/** A flag of `npm run plan`, in its table. */
const isPlan = (option: string) => blocksOf('text').some((text) => text.includes(`  ${option}  `))

fleet('names only variables that exist', () => {
  const named = [...page.matchAll(/\bSVC_[A-Z_]+\b/g)].map(([name]) => name)
  const unknown = [...new Set(named)].filter((name) => !knownVariables.includes(name))
  assert.equal(unknown, [])
})

/** Checks that the server takes the settings of a container. */
function checkContainer(args: readonly string[], environment: Readonly<Record<string, unknown>>): void {
  const flags: Record<string, string> = {}
  for (let place = 1; place < args.length; place += 2) {
    flags[(args[place] ?? '').slice(2).replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())] =
      args[place + 1] ?? ''
  }
  const ours = Object.entries(environment).filter(
    ([name, value]) => name.startsWith('SVC_') && !String(value).startsWith('${'),
  )
  for (const [name, value] of ours) assert.type(value, 'string', name)
  loadConfig(flags, Object.fromEntries(ours) as Record<string, string>)
}

fleet('has a compose file with services that start, and stop in time', () => {
  const { services } = yaml.load(compose)
  assert.equal(Object.keys(services), ['proxy', 'database', 'minio', 'buckets', 'migrate', 'web', 'worker'])
  for (const name of ['migrate', 'web', 'worker']) {
    const { command, environment, stop_grace_period, depends_on } = services[name]
    checkContainer(command, environment)
    for (const needed of Object.keys(depends_on)) assert.ok(services[needed], needed)
    assert.equal(services[name].volumes, [`./svc.config.json:${environment.SVC_CONFIG}:ro`])
    const config = loadConfig({}, { SVC_DRAIN_SECONDS: environment.SVC_DRAIN_SECONDS ?? '' })
    const stopSeconds = Number(environment.SVC_READY_SECONDS ?? 0) + config.drainSeconds
    if (stop_grace_period !== undefined) assert.ok(Number.parseInt(stop_grace_period, 10) > stopSeconds, name)
  }
})

fleet('has manifests for Kubernetes whose probes, ports and selectors fit', () => {
  const manifests = yaml.loadAll(kubernetes)
  assert.equal(
    manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    [
      'Job svc-migrate',
      'Deployment svc-web',
      'Service svc',
      'Ingress svc',
      'PodDisruptionBudget svc-web',
      'Deployment svc-worker',
      'PodDisruptionBudget svc-worker',
      'CronJob svc-prune',
    ],
  )
  const labels = manifests.map(({ spec }) => spec.template?.metadata?.labels?.app)
  for (const { kind, spec, metadata } of manifests) {
    if (kind === 'PodDisruptionBudget') assert.ok(labels.includes(spec.selector.matchLabels.app))
    if (kind === 'Ingress') assert.is(spec.rules[0].http.paths[0].backend.service.name, 'svc')
    if (kind === 'PodDisruptionBudget' || kind === 'Ingress') continue
    if (kind === 'Service') {
      const target = manifests.find((other) => other.spec.template?.metadata?.labels?.app === spec.selector.app)
      const ports = target.spec.template.spec.containers[0].ports.map(({ name }: Json) => name)
      assert.ok(ports.includes(spec.ports[0].targetPort))
      continue
    }
    const { template } = kind === 'CronJob' ? spec.jobTemplate.spec : spec
    const { containers, terminationGracePeriodSeconds, volumes = [] } = template.spec
    const { args, env = [], livenessProbe, readinessProbe, volumeMounts = [] } = containers[0]
    const environment = Object.fromEntries(env.map(({ name, value }: Json) => [name, value]))
    if (kind === 'CronJob') assert.equal(args.slice(0, 2), ['data', 'prune'])
    else checkContainer(args, environment)
    if (kind !== 'Deployment') continue
    assert.ok(args.includes('/etc/svc/svc.config.json'), 'all processes have the same models')
    assert.equal(spec.selector.matchLabels, spec.template.metadata.labels)
    assert.equal([livenessProbe.httpGet.path, readinessProbe.httpGet.path], ['/live', '/ready'], metadata.name)
    assert.equal(
      volumeMounts.map(({ name }: Json) => name),
      volumes.map(({ name }: Json) => name),
    )
    const { drainSeconds, readySeconds } = loadConfig({}, environment)
    assert.ok(terminationGracePeriodSeconds > drainSeconds + readySeconds, metadata.name)
    if (readySeconds > 0) assert.ok(readySeconds >= 3 * readinessProbe.periodSeconds, metadata.name)
  }
})

fleet('has a unit that systemd accepts', () => {
  const [unit = ''] = blocksOf('ini')
  const place = openTemporaryFolder()
  const file = place.write('svc@web.service', unit)
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  place.close()
  if (error !== undefined) return reportSkip('the unit of systemd: systemd-analyze is not installed')
  if (/Failed to (initialize manager|connect)|No such file or directory.*cgroup/i.test(stderr)) {
    return reportSkip(`the unit of systemd: ${stderr.split('\n')[0]}`)
  }
  assert.equal([status, stderr], [0, ''])
})

fleet('has settings for the units of systemd that do not collide, and stop in time', () => {
  const [unit = ''] = blocksOf('ini')
  const settings = blocksOf('properties').map((text) =>
    Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/)),
    ),
  )
  const configs = settings.map((variables) => loadConfig({}, variables))
  assert.equal(new Set(configs.flatMap(({ port, metricsPort }) => [port, metricsPort])).size, 4)
  for (const { drainSeconds, readySeconds } of configs) {
    assert.ok(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1]) > drainSeconds + readySeconds)
  }
})

fleet('builds its image from what the package has', () => {
  const [dockerfile = ''] = blocksOf('dockerfile')
  const { name, bin } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.match(dockerfile, `/tmp/${name}-*.tgz`)
  assert.match(dockerfile, `ENTRYPOINT ["${Object.keys(bin)[0]}"]`)
})

fleet.run()
