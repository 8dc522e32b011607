import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { Endpoint } from '../../contract/endpoint.ts'

/** Endpoint properties that pages never use at run time: types and the server check them. */
const removedProperties = ['summary', 'access', 'params', 'query', 'response', 'body']
/** The offline queue needs the field names of these bodies (offline/pending-write.ts), but not their schemas. */
const bodyFilesPattern = /[\\/]contract[\\/]keepers[\\/]/

interface AstNode {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** Removes properties that only the server and the documentation use. TypeScript has checked the pages before. */
export function slimContract(): Plugin {
  return {
    name: 'keeper-slim-contract',
    apply: 'build',
    enforce: 'post',
    async transform(code, id) {
      const file = id.split('?')[0] ?? id
      if (!/[\\/]contract[\\/].*\.ts$/.test(file)) return null
      const bodies = bodyFilesPattern.test(file) ? await readBodyNames(file) : new Map<string, string[]>()
      const program = this.parse(code) as unknown as AstNode
      return {
        code: applyChanges(code, [...findRemovals(program, code, bodies), ...findPureCalls(program)]),
        map: null,
      }
    },
  }
}

interface TextChange {
  start: number
  end: number
  text: string
}

/** @throws Error when two endpoints with one address send different names */
async function readBodyNames(file: string): Promise<Map<string, string[]>> {
  const namesByAddress = new Map<string, string[]>()
  const collectNames = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || '_zod' in value) return
    const { method, path, body } = value as Partial<Endpoint>
    if (!method || !path) {
      Object.values(value).forEach(collectNames)
      return
    }
    const { shape } = (body ?? {}) as { shape?: object }
    if (!shape) return
    const [address, names] = [`${method} ${path}`, Object.keys(shape)]
    if (`${namesByAddress.get(address) ?? names}` !== `${names}`)
      throw new Error(`${file} has two bodies for ${address}`)
    namesByAddress.set(address, names)
  }
  collectNames(await import(pathToFileURL(file).href))
  return namesByAddress
}

/** Ways to define an endpoint: by an address, and a description or summary. */
const definingFunctions = ['defineEndpoint', 'defineEntityEndpoint', 'defineRemoval']

/** Finds the removable properties of each endpoint, with trailing comma; a body in `bodies` keeps its names. */
function findRemovals(program: AstNode, code: string, bodies: Map<string, string[]>): TextChange[] {
  const removals: TextChange[] = []
  walk(program, (node) => {
    const callee = node.callee as AstNode | undefined
    if (node.type !== 'CallExpression' || !definingFunctions.includes(String(callee?.name))) return
    const [address, description] = node.arguments as AstNode[]
    if (description?.type === 'Literal') removals.push({ ...description, text: "''" })
    for (const property of (description?.properties as AstNode[] | undefined) ?? []) {
      const name = String((property.key as AstNode | undefined)?.name)
      if (!removedProperties.includes(name)) continue
      const names = name === 'body' ? bodies.get(String(address?.value)) : undefined
      const comma = /^\s*,/.exec(code.slice(property.end))
      if (names) removals.push({ start: property.start, end: property.end, text: `body: ${toNamesOnly(names)}` })
      else removals.push({ start: property.start, end: property.end + (comma?.[0].length ?? 0), text: '' })
    }
  })
  return removals
}

const toNamesOnly = (names: string[]) => JSON.stringify({ shape: Object.fromEntries(names.map((name) => [name, 0])) })

/** Marks schemas and regular expressions as free of side effects, so that the bundler drops unused ones. */
function findPureCalls(program: AstNode): TextChange[] {
  const statements = program.body as AstNode[]
  return statements
    .map((statement) =>
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration as AstNode | null) : statement,
    )
    .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? (statement.declarations as AstNode[]) : []))
    .map(({ init }) => init as AstNode | null)
    .filter((init): init is AstNode =>
      ['CallExpression', 'NewExpression', 'ObjectExpression'].includes(init?.type ?? ''),
    )
    .flatMap(({ start, end }) => [
      { start, end: start, text: '/*@__PURE__*/ (() => (' },
      { start: end, end, text: '))()' },
    ])
}

function walk(node: AstNode, visit: (node: AstNode) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof (child as AstNode).type === 'string') walk(child as AstNode, visit)
  }
}

function applyChanges(code: string, changes: TextChange[]): string {
  let text = ''
  let position = 0
  for (const change of changes.toSorted((a, b) => a.start - b.start)) {
    text += code.slice(position, change.start) + change.text
    position = change.end
  }
  return text + code.slice(position)
}
