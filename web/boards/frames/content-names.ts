import type { codeLanguages, configurableEntities } from '#contract/boards/frame-content.ts'

export const configuredNames: Record<(typeof configurableEntities)[number], string> = {
  board: 'This board',
  agent: 'An agent',
  'keeper-type': 'A keeper type',
  domain: 'A domain',
}

export const languageNames: Record<(typeof codeLanguages)[number], string> = {
  text: 'Plain text',
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  json: 'JSON',
  markdown: 'Markdown',
  python: 'Python',
  html: 'HTML',
  css: 'CSS',
  bash: 'Shell',
  yaml: 'YAML',
  sql: 'SQL',
}
