import type { Prompt } from '@modelcontextprotocol/server'
import { toDisplayLine } from '#contract/one-line-text.ts'
import { queryVisibleTemplates, requireTemplateFor, resolveSteps } from '#server/keepers/templates/template-catalog.ts'
import { quoteLines, toOneLine } from '#server/models/data-in-prompts.ts'
import type { ToolCall } from './connected-tool.ts'

const maxPrompts = 200

/** Forms and processes. The other templates are pages of Keeper, which no program can show. */
export async function listTemplatePrompts({ services, person }: ToolCall): Promise<Prompt[]> {
  const rows = await queryVisibleTemplates(services, person)
    .where('kind', 'in', ['content-type', 'process'])
    .orderBy('slug')
    .limit(maxPrompts)
    .execute()
  return rows.map(({ slug, label, description }) => ({
    name: slug,
    title: toDisplayLine(label),
    description: toOneLine(description).slice(0, 300).toWellFormed(),
  }))
}

/** @throws Problem 404 */
export async function getTemplatePrompt({ services, person }: ToolCall, slug: string) {
  const template = await requireTemplateFor(services, person, slug)
  const steps = (await resolveSteps(services, [template])).get(template.id) ?? []
  const questions = steps.map(({ title, prompt, fields }) =>
    [
      `### ${toOneLine(title)}`,
      prompt,
      ...fields.map(({ label, help }) => `- ${toOneLine(help ? `${label}: ${help}` : label)}`),
    ]
      .filter(Boolean)
      .join('\n'),
  )
  const proposal = template.target === 'moment' ? 'propose_moment' : 'propose_reflection'
  const text = `Go through “${toOneLine(template.label)}” with me, one question at a time, and wait for my answer each time. At the end, offer to put my answers, in my own words, in front of me with ${proposal}. The questions, quoted:\n\n${quoteLines(questions.join('\n\n'))}`
  return {
    description: toDisplayLine(template.label),
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  }
}
