import type { Plugin } from 'vite'

/** Of an endpoint the pages never look at these at run time: they are checked by their types, and by the server. */
const leftOut = ['summary', 'access', 'params', 'query', 'returns']
/** The names of what is sent are looked at by what keeps writing while there is no network (offline/pending-write.ts). */
const bodiesAreRead = /[\\/]contract[\\/]keepers[\\/]/

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/**
 * Takes out of the contract what only the server and the documentation read, so that the schemas of answers fall away with
 * it. The types, by which the pages are checked, are gone before.
 */
export function slimContract(): Plugin {
  return {
    name: 'keeper-slim-contract',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!/[\\/]contract[\\/][^?]*\.ts$/.test(id.split('?')[0] ?? id)) return null
      const names = new Set(bodiesAreRead.test(id) ? leftOut : [...leftOut, 'body'])
      const program = this.parse(code) as unknown as Node
      return { code: changed(code, [...cutsIn(program, code, names), ...puresIn(program)]), map: null }
    },
  }
}

interface Change {
  start: number
  end: number
  text: string
}

/** The properties of each `endpoint('…', {…})`, with the comma after them. */
function cutsIn(program: Node, code: string, names: Set<string>): Change[] {
  const cuts: Change[] = []
  walk(program, (node) => {
    const callee = node.callee as Node | undefined
    if (node.type !== 'CallExpression' || callee?.name !== 'endpoint') return
    const [, description] = node.arguments as Node[]
    for (const property of (description?.properties as Node[] | undefined) ?? []) {
      if (!names.has(String((property.key as Node | undefined)?.name))) continue
      const comma = /^\s*,/.exec(code.slice(property.end))
      cuts.push({ start: property.start, end: property.end + (comma?.[0].length ?? 0), text: '' })
    }
  })
  return cuts
}

/** The bundler cannot know that making a schema does nothing else; told so, it leaves out those that nobody uses. */
function puresIn(program: Node): Change[] {
  const statements = program.body as Node[]
  return statements
    .map((statement) =>
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : statement,
    )
    .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? (statement.declarations as Node[]) : []))
    .map(({ init }) => init as Node | null)
    .filter((init): init is Node => init?.type === 'CallExpression' || init?.type === 'ObjectExpression')
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
