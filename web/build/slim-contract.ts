import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { Endpoint } from '../../contract/endpoint.ts'

/** Endpoint properties that pages never use at run time: types and the server check them. */
const leftOut = ['summary', 'access', 'params', 'query', 'response', 'body']
/** The offline queue needs the field names of these bodies (offline/pending-write.ts), but not their schemas. */
const bodiesAreRead = /[\\/]contract[\\/]keepers[\\/]/

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** Removes what only the server and the documentation use. TypeScript has checked the pages before. */
export function slimContract(): Plugin {
  return {
    name: 'keeper-slim-contract',
    apply: 'build',
    enforce: 'post',
    async transform(code, id) {
      const file = id.split('?')[0] ?? id
      if (!/[\\/]contract[\\/].*\.ts$/.test(file)) return null
      const bodies = bodiesAreRead.test(file) ? await readBodyNames(file) : new Map<string, string[]>()
      const program = this.parse(code) as unknown as Node
      return { code: changed(code, [...cutsIn(program, code, bodies), ...puresIn(program)]), map: null }
    },
  }
}

interface Change {
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

/** Finds the removable properties of each `defineEndpoint('…', {…})`, with trailing comma; a body in `bodies` keeps its names. */
function cutsIn(program: Node, code: string, bodies: Map<string, string[]>): Change[] {
  const cuts: Change[] = []
  walk(program, (node) => {
    const callee = node.callee as Node | undefined
    if (node.type !== 'CallExpression' || callee?.name !== 'defineEndpoint') return
    const [address, description] = node.arguments as Node[]
    for (const property of (description?.properties as Node[] | undefined) ?? []) {
      const name = String((property.key as Node | undefined)?.name)
      if (!leftOut.includes(name)) continue
      const names = name === 'body' ? bodies.get(String(address?.value)) : undefined
      const comma = /^\s*,/.exec(code.slice(property.end))
      if (names) cuts.push({ start: property.start, end: property.end, text: `body: ${onlyNames(names)}` })
      else cuts.push({ start: property.start, end: property.end + (comma?.[0].length ?? 0), text: '' })
    }
  })
  return cuts
}

const onlyNames = (names: string[]) => JSON.stringify({ shape: Object.fromEntries(names.map((name) => [name, 0])) })

/** Marks schemas and regular expressions as free of side effects, so that the bundler drops unused ones. */
function puresIn(program: Node): Change[] {
  const statements = program.body as Node[]
  return statements
    .map((statement) =>
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : statement,
    )
    .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? (statement.declarations as Node[]) : []))
    .map(({ init }) => init as Node | null)
    .filter((init): init is Node => ['CallExpression', 'NewExpression', 'ObjectExpression'].includes(init?.type ?? ''))
    .flatMap(({ start, end }) => [
      { start, end: start, text: '/*@__PURE__*/ (() => (' },
      { start: end, end, text: '))()' },
    ])
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof (child as Node).type === 'string') walk(child as Node, visit)
  }
}

function changed(code: string, changes: Change[]): string {
  let text = ''
  let from = 0
  for (const change of changes.toSorted((a, b) => a.start - b.start)) {
    text += code.slice(from, change.start) + change.text
    from = change.end
  }
  return text + code.slice(from)
}
