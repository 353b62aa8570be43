import type { TSchema } from 'typebox'
import { Compile, Errors, type Validator } from 'typebox/schema'
import { describeFault, type Node } from './sentences.js'

/** What is wrong with a value: where (a JSON Pointer), by which keyword of its schema, and in words for the caller. */
export interface Fault {
  readonly path: string
  readonly rule: string
  readonly sentence: string
}

/** Of a list that names no limit; none of the contract needs more. Whether a list holds nothing twice takes the square of its length to tell. */
const itemsAtMost = 100

interface Checker {
  /** Takes a hundredth of the time that finding the errors does; nearly every value has none. */
  readonly validator: Validator
  readonly hasLists: boolean
}

const checkers = new WeakMap<TSchema, Checker>()

function getChecker(schema: TSchema): Checker {
  let checker = checkers.get(schema)
  if (checker === undefined) {
    checker = { validator: Compile(schema), hasLists: hasLists(schema as unknown as Node) }
    checkers.set(schema, checker)
  }
  return checker
}

function hasLists(node: Node): boolean {
  const { anyOf = [], items, properties = {} } = node as Lists
  return items !== undefined || anyOf.some(hasLists) || Object.values(properties).some(hasLists)
}

/** The faults of `value`, one at most for each place. Loaded when the first call needs it: the checker takes 10 ms to load. */
export function findFaults(schema: TSchema, value: unknown): Fault[] {
  const { validator, hasLists } = getChecker(schema)
  const tooLong = hasLists ? findTooLong(schema as unknown as Node, value, '') : []
  if (tooLong.length > 0) return tooLong
  if (validator.Check(value)) return []
  const [, errors] = Errors(schema, value)
  const faults = new Map<string, Fault>()
  for (const { keyword, instancePath, schemaPath, params } of errors) {
    const node = findNode(schema, schemaPath)
    // The branches of a choice report for themselves; that a value is not null is no fault of one that may be.
    if (keyword === 'anyOf' || (keyword === 'type' && node.type === 'null')) continue
    if (keyword === 'required') {
      const { requiredProperties = [] } = params as { requiredProperties?: readonly string[] }
      for (const name of requiredProperties)
        add({ path: `${instancePath}/${name}`, rule: keyword, sentence: 'is missing' })
    } else
      add({ path: instancePath, rule: keyword, sentence: describeFault(keyword, node, findValue(value, instancePath)) })
  }
  if (errors.length > 0 && faults.size === 0) {
    const path = errors.at(-1)?.instancePath ?? ''
    add({ path, rule: 'type', sentence: 'is not valid' })
  }
  // What is wrong with a whole comes before what is wrong in it.
  return [...faults.values()].sort((one, other) => toTokens(one.path).length - toTokens(other.path).length)

  function add(fault: Fault): void {
    if (!faults.has(fault.path)) faults.set(fault.path, fault)
  }
}

/** The lists that have too many items for the rest to be looked at. */
function findTooLong(node: Node, value: unknown, path: string): Fault[] {
  const { anyOf = [], items, properties = {}, maxItems = itemsAtMost } = node as Lists
  const branches = anyOf.flatMap((branch) => findTooLong(branch, value, path))
  if (branches.length > 0) return branches.slice(0, 1)
  if (Array.isArray(value) && items !== undefined) {
    if (value.length > maxItems) {
      return [{ path, rule: 'maxItems', sentence: describeFault('maxItems', { ...node, maxItems }, value) }]
    }
    return value.flatMap((item, index) => findTooLong(items, item, `${path}/${index}`))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .flatMap(([name, member]) => findTooLong(member, (value as Node)[name], `${path}/${name}`))
}

/** The keywords of a schema under which lists may stand. */
interface Lists {
  readonly anyOf?: readonly Node[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly maxItems?: number
}

function findNode(schema: TSchema, schemaPath: string): Node {
  return toTokens(schemaPath.slice(1)).reduce<Node>(
    (node, token) => (node[token] ?? {}) as Node,
    schema as unknown as Node,
  )
}

function findValue(value: unknown, path: string): unknown {
  return toTokens(path).reduce<unknown>((part, token) => (part as Node | undefined)?.[token], value)
}

function toTokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
