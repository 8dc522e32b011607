import type { FieldType, TemplateField, TemplateStep } from '#contract/keepers/engagement-templates.ts'
import { createSystemId, insertSystemEntries } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { TemplateRow } from './template-catalog.ts'

type SystemTemplate = Pick<TemplateRow, 'slug' | 'label' | 'type' | 'description' | 'kind'> &
  Partial<Pick<TemplateRow, 'category' | 'fields' | 'steps' | 'target'>> & {
    keeperTypes: string[]
  }

const allKeeperTypes = ['journal', 'project', 'educational', 'professional', 'wellness', 'custom']

const createField = (
  key: string,
  type: FieldType,
  label: string,
  options: Partial<TemplateField> = {},
): TemplateField => ({
  key,
  label,
  type,
  required: false,
  ...options,
})
const createStep = (title: string, prompt: string, waitHours: number | null = null): TemplateStep => ({
  title,
  prompt,
  contentTypeId: null,
  agentSlug: null,
  waitHours,
})

const pageTemplates: Omit<SystemTemplate, 'kind'>[] = [
  {
    slug: 'reflection_journal',
    label: 'Reflection Journal',
    type: 'memory',
    description: 'Write what the days leave behind, and keep what is worth keeping.',
    keeperTypes: allKeeperTypes,
  },
  {
    slug: 'memorycard_generator',
    label: 'Memory Cards',
    type: 'memory',
    description: 'What you kept, on cards you can find by words and by meaning.',
    keeperTypes: allKeeperTypes,
  },
  {
    slug: 'voice_panel',
    label: 'Voice Panel',
    type: 'identity',
    description: 'What you hold to be true, written or spoken, and revisited from time to time.',
    keeperTypes: ['journal', 'wellness', 'custom'],
  },
  {
    slug: 'echo_writer',
    label: 'Echo Writer',
    type: 'timeline',
    description: 'Notes to your later self, delivered when you choose.',
    keeperTypes: ['journal', 'wellness', 'custom'],
  },
  {
    slug: 'identity_logbook',
    label: 'Identity Logbook',
    type: 'identity',
    description: 'Who you were, entry by entry and year by year.',
    keeperTypes: ['journal', 'professional', 'custom'],
  },
]

const templates: SystemTemplate[] = [
  {
    slug: 'gratitude',
    label: 'Gratitude',
    kind: 'content-type',
    type: 'memory',
    category: 'Well-being',
    target: 'reflection',
    description: 'Three minutes with what was good, however small it was.',
    fields: [
      createField('good', 'longtext', 'What was good today, however small?', { required: true }),
      createField('who', 'person', 'Who had a hand in it?', { help: 'You count too.' }),
      createField('why', 'longtext', 'Why did it feel good?'),
      createField('tags', 'tags', 'What is it about?', { help: 'The first tag becomes the topic.' }),
    ],
    keeperTypes: ['journal', 'wellness'],
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
      createField('pages', 'longtext', 'What is on your mind?', {
        required: true,
        help: 'No one else reads this. If nothing comes to mind, write that down.',
      }),
      createField('one_thing', 'text', 'What is this day for?', { help: 'One thing, if there is one.' }),
    ],
    keeperTypes: ['journal', 'wellness'],
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
      createField('decision', 'text', 'What did you decide?', { required: true }),
      createField('other_ways', 'longtext', 'What else could you have done?'),
      createField('why', 'longtext', 'Why this and not the others?', { required: true }),
      createField('expects', 'longtext', 'What do you expect to happen?'),
      createField('sure', 'scale', 'How sure are you?', { most: 10 }),
      createField('look_again', 'date', 'When will you look at it again?'),
      createField('tags', 'tags', 'What is it about?'),
    ],
    keeperTypes: ['project', 'professional'],
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
      createField('who', 'person', 'Who did you talk with?', { required: true }),
      createField('about', 'longtext', 'What did you talk about?', { required: true }),
      createField('unsaid', 'longtext', 'What was between the lines?', { help: 'What pleased or worried them.' }),
      createField('mine', 'longtext', 'What did you promise?'),
      createField('theirs', 'longtext', 'What did they promise?'),
      createField('next', 'date', 'When will you talk again?'),
      createField('where', 'place', 'Where was it?'),
      createField('tags', 'tags', 'What is it about?'),
    ],
    keeperTypes: ['professional'],
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
      createStep('What happened', 'What do you remember of this week without looking anything up?'),
      createStep('What gave and took strength', 'What gave you strength, and what took it?'),
      createStep('What you learned', 'What do you know now that you did not know on Monday?'),
      createStep('What stays open', 'What did you put off, and what would it need?'),
      createStep('Next week', 'If only one thing goes well next week, what should it be?'),
    ],
    keeperTypes: ['project', 'educational', 'professional'],
  },
  {
    slug: 'grief-letter',
    label: 'Grief letter',
    kind: 'process',
    type: 'identity',
    category: 'Farewell',
    target: 'reflection',
    description: 'A letter to someone or something you lost, in four sittings. There’s no rush.',
    steps: [
      createStep('Who you are writing to', 'Who or what are you writing to, and what do you miss right now?'),
      createStep('A day together', 'Tell them about one day you had together, as if they had forgotten it.', 24),
      createStep('What was left unsaid', 'What would you still say, now that nothing depends on it?', 24),
      createStep('What you carry on', 'What of them lives on in you, and how do you end this letter?'),
    ],
    keeperTypes: ['journal', 'wellness'],
  },
]

export function insertSystemTemplates(services: Services): Write[] {
  const pages = pageTemplates.map((page) => ({ ...page, kind: 'page' as const }))
  const allTemplates: SystemTemplate[] = [...pages, ...templates]
  return [
    ...insertSystemEntries(
      services,
      'engagement_templates',
      allTemplates.map(({ keeperTypes: _, ...template }) => ({
        category: 'Pages',
        fields: [],
        steps: [],
        target: 'reflection',
        ...template,
      })),
    ),
    ...allTemplates.flatMap((template, position) =>
      template.keeperTypes.map((type) =>
        services.db
          .insertInto('keeper_type_templates')
          .values({ keeper_type_id: createSystemId(type), template_id: createSystemId(template.slug), position })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    ),
  ]
}
