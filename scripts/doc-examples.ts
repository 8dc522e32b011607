import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { readSettings } from '#server/settings/settings.ts'
import { root } from './fingerprint.ts'

export interface Example {
  /** `file:line`. */
  location: string
  language: string
  text: string
}

interface ExampleResult {
  /** The program that isn’t installed. */
  missingProgram?: string
  problem?: string
}

const documents = ['README.md', 'deploy/release-readme.md', 'docs/**/*.md']
const deployFiles: [pattern: string, language: string][] = [
  ['deploy/*.service', 'systemd'],
  ['{compose.yaml,deploy/**/*.yml}', 'yaml'],
]

/** Every code block, every command and setting within the text, and every file in deploy/. */
export function listExamples(): Example[] {
  const files = deployFiles.flatMap(([pattern, language]) =>
    globSync(pattern, { cwd: root }).map((file) => ({ location: file, language, text: readRootFile(file) })),
  )
  return [...globSync(documents, { cwd: root }).flatMap((file) => readExamples(file, readRootFile(file))), ...files]
}

const readRootFile = (file: string) => readFileSync(join(root, file), 'utf8')

/** Other code within the text, such as names, isn't an example. */
const inlineLanguages: [language: string, pattern: RegExp][] = [
  ['sh', /^(npm (run|ci|start|test|sbom)|node|docker|git|chmod|chown|tar|mkdir|curl|systemctl|sudo)\b/],
  ['setting', /^[A-Z][A-Z0-9_]+=\S*$/],
  ['json', /^\{"/],
]

export function readExamples(file: string, source: string): Example[] {
  const blockPattern = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm
  const locate = (offset: number) => `${file}:${source.slice(0, offset).split('\n').length}`
  const blocks = [...source.matchAll(blockPattern)].map(({ index, 1: language = '', 2: text = '' }) => ({
    location: locate(index),
    language,
    text,
  }))
  // Blank out blocks with spaces, so that line numbers stay the same.
  const prose = source.replaceAll(blockPattern, (block) => block.replaceAll(/[^\n]/g, ' '))
  const inline = [...prose.matchAll(/`([^`]+)`/g)].flatMap(({ index, 1: code = '' }) => {
    const text = code.replaceAll(/\s+/g, ' ')
    const [language] = inlineLanguages.find(([, pattern]) => pattern.test(text)) ?? []
    return language ? [{ location: locate(index), language, text }] : []
  })
  return [...blocks, ...inline]
}

/** Gives the example to the program it is for. */
export function checkExample({ location, language, text }: Example): ExampleResult {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-example-'))
  try {
    const check = checks[language]
    if (!check) return { problem: `name its language after the three backticks: ${Object.keys(checks).join(', ')}` }
    return check(text, folder, basename(location))
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Problems of a single setting that needs another one, or names a file of another machine. */
const missingContext = / needs | has no effect without |can’t be read|doesn’t exist|no valid sender|a proxy is in front/

const checks: Record<string, (text: string, folder: string, name: string) => ExampleResult> = {
  /** A table of commands with what they do. */
  text: () => ({}),
  sh: (text, folder) =>
    runProgram('bash', ['-n', writeFile(folder, 'example.sh', text.replaceAll(/<[\w -]+>/g, 'word'))]),
  /** A single setting within the text. */
  setting(text) {
    const { problem } = checkSettings(text)
    return problem && !missingContext.test(problem) ? { problem } : {}
  },
  env: checkSettings,
  json(text) {
    JSON.parse(text)
    return {}
  },
  yaml(text) {
    parse(text)
    return {}
  },
  nginx(text, folder) {
    for (const program of ['nginx', 'openssl']) if (!hasProgram(program)) return { missingProgram: program }
    return runProgram('nginx', ['-t', '-q', '-p', folder, '-e', 'stderr', '-c', writeNginxConfig(text, folder, 18_443)])
  },
  caddyfile: (text, folder) =>
    runProgram('caddy', ['validate', '--adapter', 'caddyfile', '--config', writeFile(folder, 'Caddyfile', text)], {
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    }),
  // The programs in a unit are in other folders on this machine.
  systemd: (text, folder, name) =>
    runProgram('systemd-analyze', [
      'verify',
      '--man=no',
      writeFile(
        folder,
        name.endsWith('.service') ? name : 'example.service',
        text.replaceAll(/^(ExecStart=)\/usr\/bin\/(node|npm)\b/gm, `$1${process.execPath}`),
      ),
    ]),
}

function checkSettings(text: string): ExampleResult {
  try {
    const { notes } = readSettings(parseEnv(text.replaceAll('…', 'x'.repeat(32))))
    return notes.length > 0 ? { problem: notes.join('; ') } : {}
  } catch (error) {
    return { problem: String(error) }
  }
}

/** Writes a complete configuration around a server block that listens on `port` with a new certificate. */
export function writeNginxConfig(server: string, folder: string, port: number): string {
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  createCertificate(certificate, key)
  const adapted = server
    .replaceAll(/listen (\[::\]:)?443\b/g, (_, ipv6 = '') => `listen ${ipv6 ? '[::1]:' : '127.0.0.1:'}${port}`)
    .replaceAll(/(ssl_certificate(?:_key)?\s+)\S*?(fullchain|privkey)\.pem/g, `$1${folder}/$2.pem`)
  const temporaryFolders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (use) => `${use}_temp_path ${folder}/${use};`,
  )
  return writeFile(
    folder,
    'nginx.conf',
    `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n${temporaryFolders.join('\n')}\naccess_log off;\n${adapted}}\n`,
  )
}

export function createCertificate(certificate: string, key: string): void {
  const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=keeper.example.org'.split(
    ' ',
  )
  const names = ['-addext', 'subjectAltName=DNS:keeper.example.org,DNS:localhost']
  execFileSync('openssl', ['req', ...options, ...names, '-out', certificate, '-keyout', key], { stdio: 'ignore' })
}

function writeFile(folder: string, name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

function runProgram(program: string, options: string[], env: Record<string, string> = {}): ExampleResult {
  if (!hasProgram(program)) return { missingProgram: program }
  const { status, stderr, stdout } = spawnSync(program, options, { encoding: 'utf8', env: { ...process.env, ...env } })
  // systemd only warns of a line that it ignores.
  return status === 0 && !(program === 'systemd-analyze' && stderr)
    ? {}
    : { problem: `${program}: ${(stderr || stdout).trim()}` }
}

export function hasProgram(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']
  return folders.some((folder) => existsSync(join(folder, program)))
}
