export interface Instruction {
  name: string
  text: string
}

/** The instructions of each stage, with continued lines joined. */
export function readDockerfile(source: string): Instruction[][] {
  const lines = source
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim())
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? []
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, text })
  }
  return stages
}

/** Reads the command and user of the image; throws if something that a container needs is missing. */
export function readImage(source: string) {
  const stage = readDockerfile(source).at(-1) ?? []
  const getText = (name: string) => {
    const text = stage.findLast((instruction) => instruction.name === name)?.text
    if (text === undefined) throw new Error(`Dockerfile: the last stage has no ${name}`)
    return text
  }
  const environment = stage
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) =>
      text.split(/\s+/).map((pair): [string, string] => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]),
    )
  const copies = stage.filter(({ name }) => name === 'COPY').map(({ text }) => text.split(/\s+/))
  const healthCheck = getText('HEALTHCHECK')
  return {
    base: getText('FROM'),
    environment: Object.fromEntries(environment),
    workingDirectory: getText('WORKDIR'),
    user: getText('USER'),
    copies,
    healthCheck: readCommand(healthCheck.slice(healthCheck.indexOf('CMD') + 'CMD'.length)),
    command: readCommand(getText('CMD')),
    stopSignal: getText('STOPSIGNAL') as NodeJS.Signals,
    labels: stage
      .filter(({ name }) => name === 'LABEL')
      .map(({ text }) => text)
      .join(' '),
    instructions: stage.map(({ name }) => name),
  }
}

/** Accepts only the form without a shell, because a shell as process 1 passes no signal on. */
function readCommand(text: string): string[] {
  return JSON.parse(text) as string[]
}
