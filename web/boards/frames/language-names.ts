import type { codeLanguages } from '#contract/boards/frame-content.ts'

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
