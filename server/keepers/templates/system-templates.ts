import type { FieldType, TemplateField, TemplateStep } from '#contract/keepers/engagement-templates.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { TemplateRow } from './template-view.ts'

type SystemTemplate = Pick<TemplateRow, 'slug' | 'label' | 'type' | 'description' | 'kind'> &
  Partial<Pick<TemplateRow, 'category' | 'fields' | 'steps' | 'target'>> & {
    of: string[]
  }

const everyType = ['journal', 'project', 'educational', 'professional', 'wellness', 'custom']

const ask = (key: string, type: FieldType, label: string, more: Partial<TemplateField> = {}): TemplateField => ({
  key,
  label,
  type,
  required: false,
  ...more,
})
const step = (title: string, prompt: string, waitHours: number | null = null): TemplateStep => ({
  title,
  prompt,
  contentTypeId: null,
  agentSlug: null,
  waitHours,
})

/** The pages every keeper has. */
const pages: SystemTemplate[] = [
  {
    slug: 'reflection_journal',
    label: 'Reflection Journal',
    kind: 'page',
    type: 'memory',
    description: 'Write what the days leave behind, and keep what is worth keeping.',
    of: everyType,
  },
  {
    slug: 'memorycard_generator',
    label: 'Memory Cards',
    kind: 'page',
    type: 'memory',
    description: 'What you kept, on cards you can find by words and by meaning.',
    of: everyType,
  },
  {
    slug: 'voice_panel',
    label: 'Voice Panel',
    kind: 'page',
    type: 'identity',
    description: 'What you hold to be true, written or spoken, and revisited from time to time.',
    of: ['journal', 'wellness', 'custom'],
  },
  {
    slug: 'echo_writer',
    label: 'Echo Writer',
    kind: 'page',
    type: 'timeline',
    description: 'Notes to your later self, delivered when you choose.',
    of: ['journal', 'wellness', 'custom'],
  },
  {
    slug: 'identity_logbook',
    label: 'Identity Logbook',
    kind: 'page',
    type: 'identity',
    description: 'Who you were, entry by entry and year by year.',
    of: ['journal', 'professional', 'custom'],
  },
]

const shipped: SystemTemplate[] = [
  {
    slug: 'gratitude',
    label: 'Gratitude',
    kind: 'content-type',
    type: 'memory',
    category: 'Well-being',
    target: 'reflection',
    description: 'Three minutes with what was good, however small it was.',
    fields: [
      ask('good', 'longtext', 'What was good today, however small?', { required: true }),
      ask('who', 'person', 'Who had a hand in it?', { help: 'Yourself counts.' }),
      ask('why', 'longtext', 'Why did it do you good?'),
      ask('tags', 'tags', 'What is it about?', { help: 'The first tag becomes its topic.' }),
    ],
    of: ['journal', 'wellness'],
  },
  {
    slug: 'morning-pages',
    label: 'Morning pages',
    kind: 'content-type',
    type: 'memory',
    category: 'Daily',
    target: 'reflection',
    description: 'Write before the day begins, without stopping and without reading it back.',
    fields: [
      ask('pages', 'longtext', 'What is on your mind?', {
        required: true,
        help: 'No one else reads this. If nothing comes to mind, write that.',
      }),
      ask('one_thing', 'text', 'What is this day for?', { help: 'One thing, if there is one.' }),
    ],
    of: ['journal', 'wellness'],
  },
  {
    slug: 'decision-log',
    label: 'Decision log',
    kind: 'content-type',
    type: 'timeline',
    category: 'Decisions',
    target: 'logbook',
    description: 'What you decided and why, written down before you know how it went.',
    fields: [
      ask('decision', 'text', 'What did you decide?', { required: true }),
      ask('other_ways', 'longtext', 'What else could you have done?'),
      ask('why', 'longtext', 'Why this and not the others?', { required: true }),
      ask('expects', 'longtext', 'What do you expect to happen?'),
      ask('sure', 'scale', 'How sure are you?', { most: 10 }),
      ask('look_again', 'date', 'When will you look at it again?'),
      ask('tags', 'tags', 'What is it about?'),
    ],
    of: ['project', 'professional'],
  },
  {
    slug: 'one-to-one',
    label: '1:1',
    kind: 'content-type',
    type: 'timeline',
    category: 'People',
    target: 'moment',
    description: 'A conversation between two people, while it is still fresh.',
    fields: [
      ask('who', 'person', 'Who did you talk with?', { required: true }),
      ask('about', 'longtext', 'What did you talk about?', { required: true }),
      ask('unsaid', 'longtext', 'What was between the lines?', { help: 'What pleased or worried them.' }),
      ask('mine', 'longtext', 'What did you promise?'),
      ask('theirs', 'longtext', 'What did they promise?'),
      ask('next', 'date', 'When will you talk again?'),
      ask('where', 'place', 'Where was it?'),
      ask('tags', 'tags', 'What is it about?'),
    ],
    of: ['professional'],
  },
  {
    slug: 'weekly-review',
    label: 'Weekly review',
    kind: 'process',
    type: 'timeline',
    category: 'Weekly',
    target: 'reflection',
    description: 'Look back on seven days, then choose what the next seven are for.',
    steps: [
      step('What happened', 'What do you remember of this week without looking anything up?'),
      step('What gave and what took', 'What gave you strength, and what took it?'),
      step('What you learned', 'What do you know now that you did not know on Monday?'),
      step('What stays open', 'What did you put off, and what would it need?'),
      step('Next week', 'If only one thing goes well next week, what should it be?'),
    ],
    of: ['project', 'educational', 'professional'],
  },
  {
    slug: 'grief-letter',
    label: 'Grief letter',
    kind: 'process',
    type: 'identity',
    category: 'Farewell',
    target: 'reflection',
    description: 'A letter to someone or something you lost, in four sittings. There is no hurry.',
    steps: [
      step('Who you are writing to', 'Who or what are you writing to, and what do you miss right now?'),
      step('A day together', 'Tell them about one day you had together, as if they had forgotten it.', 24),
      step('What was left unsaid', 'What would you still say, now that nothing depends on it?', 24),
      step('What you carry on', 'What of them goes on in you, and how do you end this letter?'),
    ],
    of: ['journal', 'wellness'],
  },
]

export async function addSystemTemplates(services: Services): Promise<void> {
  const { db } = services
  const now = services.now().getTime()
  const all = [...pages, ...shipped]
  // Deterministic ids, so that concurrent processes add each once.
  const idOf = (slug: string) => `system-${slug}`
  await db.batch([
    ...all.map((template, index) =>
      db
        .insertInto('engagement_templates')
        .values({
          id: idOf(template.slug),
          owner_id: null,
          kind: template.kind,
          slug: template.slug,
          label: template.label,
          type: template.type,
          description: template.description,
          category: template.category ?? 'Pages',
          system: true,
          fields: json(template.fields ?? []),
          steps: json(template.steps ?? []),
          target: template.target ?? 'reflection',
          // One millisecond apart for a stable order.
          created_at: now + index,
          updated_at: now + index,
        })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    ...all.flatMap((template, position) =>
      template.of.map((type) =>
        db
          .insertInto('keeper_type_templates')
          .values({ keeper_type_id: idOf(type), template_id: idOf(template.slug), position })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    ),
  ])
}
