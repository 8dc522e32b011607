import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { captureSources, type MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { call } from '#web/api/api.ts'
import { CardActions, CatalogCard } from '#web/catalog/catalog-cards.tsx'
import { CatalogPage } from '#web/catalog/catalog-page.tsx'
import { createFreeKey } from '#web/catalog/free-key.ts'
import { useCatalog } from '#web/catalog/use-catalog.tsx'
import { createClientId } from '#web/offline/create-client-id.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { hoursPerYear } from '#web/ui/text/days.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { patternsKey, patternsQuery } from '../memory-pattern-queries.ts'
import { RowList } from '../templates/row-list.tsx'

export function MemoryPatternsPage() {
  const queryClient = useQueryClient()
  const query = useQuery(patternsQuery)
  const catalog = useCatalog<MemoryPattern>({
    noun: 'pattern',
    entries: query.data?.entries,
    getName: ({ name }) => name,
    createCopy: (pattern, name) =>
      call(memoryPatterns.create, { body: { ...toPatternBody(toPatternValues(pattern)), name } }),
    remove: ({ id }) => call(memoryPatterns.remove, { params: { id } }),
    reload: () => queryClient.invalidateQueries({ queryKey: patternsKey }),
    deleteWarning: 'A pattern in use by keepers can’t be deleted.',
  })
  return (
    <CatalogPage
      title="Memory Patterns"
      subtitle="A memory pattern defines how a keeper remembers, and from which entries."
      createdHint="Keepers can now use this pattern."
      query={query}
      catalog={catalog}
      renderForm={({ entry, ...form }) => <PatternForm key={entry?.id ?? 'new'} pattern={entry} {...form} />}
      renderCard={(pattern, actions) => (
        <PatternCard
          pattern={pattern}
          count={pattern._count.Keeper}
          actions={actions && <CardActions {...actions} />}
        />
      )}
    />
  )
}

interface PatternFormProps {
  /** `null` for a new pattern. */
  pattern: MemoryPattern | null
  onSaved: (pattern: MemoryPattern) => void
  onCancel: () => void
}

function PatternForm({ pattern, onSaved, onCancel }: PatternFormProps) {
  const queryClient = useQueryClient()
  const form = useEntityForm<MemoryPattern, PatternValues>({
    draftKey: `memory-pattern/${pattern?.id ?? 'new'}`,
    subject: 'This pattern',
    entity: pattern,
    toValues: toPatternValues,
    blank: blankPattern,
    send(_, { values, rev, key: idempotencyKey }) {
      const body = toPatternBody(values)
      return pattern
        ? sendNow(memoryPatterns.update, { params: { id: pattern.id }, body, ifMatch: rev ?? pattern.rev })
        : sendNow(memoryPatterns.create, { body, idempotencyKey })
    },
    async onSaved(result) {
      await queryClient.invalidateQueries({ queryKey: patternsKey })
      if (result?.state === 'sent') onSaved(result.answer)
      else onCancel()
    },
  })
  const { values, set, field, errors } = form
  const isComplete = values.name.trim() !== '' && values.sections.every(({ title }) => title.trim() !== '')

  if (!form.ready) return <Skeleton className="h-80" />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,360px)] items-start gap-8 max-[1100px]:grid-cols-1">
      <EntityForm
        form={form}
        aria-label={pattern ? `Edit ${pattern.name}` : 'New memory pattern'}
        failureTitle="Failed to save the pattern. Your text is safe in this browser."
        buttonsClassName="border-t border-border pt-4"
        disabled={!isComplete}
        saveLabel={pattern ? 'Save' : 'Create pattern'}
        onCancel={onCancel}
      >
        <TextField label="Name" required maxLength={80} {...field('name')} />
        <TextArea label="Description" maxLength={1000} {...field('description')} />
        <Checkbox
          label="Keeps one standing story (SOLE)"
          help="Keepers with this pattern get a story, drafted from what you keep and approved by a person. Without a story, the Memory page shows the sections below."
          checked={values.keepsStory}
          onCheckedChange={(keepsStory) => set({ keepsStory })}
        />
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1.5 text-ui font-label">Captures from</legend>
          {captureSources.map((source) => (
            <Checkbox
              key={source}
              label={sourceNames[source]}
              checked={values.captureFrom.includes(source)}
              onCheckedChange={(isChecked) =>
                set({
                  captureFrom: captureSources.filter((captureSource) =>
                    captureSource === source ? isChecked : values.captureFrom.includes(captureSource),
                  ),
                })
              }
            />
          ))}
          <p className="text-small text-muted-foreground">Without reflections, keepers get no suggested promotions.</p>
        </fieldset>
        <NumberField
          label="Suggested for keeping after"
          unit={values.minAgeHours === 1 ? 'hour' : 'hours'}
          min={0}
          max={hoursPerYear}
          value={values.minAgeHours}
          error={errors['promote.minAgeHours']}
          help="A person always decides what becomes memory."
          onNumberChange={(minAgeHours) => {
            if (minAgeHours !== null) set({ minAgeHours })
          }}
        />
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-1.5 text-ui font-label">Sections</legend>
          <p className="text-small text-muted-foreground">
            On the Memory page, a text section shows reflections, a list shows memory cards, a timeline shows moments by
            date, and a map shows their places.
          </p>
          <RowList
            label="Sections"
            rows={values.sections}
            maxRows={20}
            addLabel="Add section"
            createRow={createSection}
            getName={({ title }, index) => title.trim() || `section ${index + 1}`}
            onChange={(sections) => set({ sections })}
          >
            {(section, index, update) => (
              <div className="flex flex-wrap items-end gap-2">
                <TextField
                  label="Title"
                  required
                  maxLength={80}
                  className="flex-1 basis-40"
                  value={section.title}
                  error={errors[`sections.${index}.title`] ?? errors[`sections.${index}.key`]}
                  onChange={(event) => update({ title: event.currentTarget.value })}
                />
                <SelectField
                  label="Shown as"
                  className="w-32"
                  value={section.kind}
                  options={Object.entries(sectionKindLabels).map(([value, label]) => ({ value, label }))}
                  onChange={(event) => update({ kind: event.currentTarget.value as DraftSection['kind'] })}
                />
              </div>
            )}
          </RowList>
        </fieldset>
      </EntityForm>
      <section aria-labelledby="pattern-preview" className="min-w-0">
        <h2 id="pattern-preview" className="mb-2 text-h3">
          Preview
        </h2>
        <PatternCard pattern={{ ...toPatternBody(values), system: false }} />
      </section>
    </div>
  )
}

interface PatternCardProps {
  pattern: Pick<
    MemoryPattern,
    'name' | 'description' | 'system' | 'sections' | 'captureFrom' | 'promote' | 'keepsStory'
  >
  /** The number of keepers that use the pattern; absent in the preview of the form. */
  count?: number
  actions?: ReactNode
}

export function PatternCard({ pattern, count, actions }: PatternCardProps) {
  const { name, description, system, sections, captureFrom, promote, keepsStory } = pattern
  return (
    <CatalogCard
      name={name}
      description={description}
      system={system}
      usage={count === undefined ? undefined : { count, noun: 'keeper' }}
      actions={actions}
    >
      <p className="text-small">
        {keepsStory ? 'Keeps one standing story (SOLE).' : 'Keeps no standing story (SOLE).'}
      </p>
      {sections.length > 0 && (
        <ul aria-label="Sections" className="list-disc ps-4 text-small">
          {sections.map((section) => (
            <li key={section.key} className="wrap-break-word">
              {section.title} ({sectionKindLabels[section.kind].toLowerCase()})
            </li>
          ))}
        </ul>
      )}
      <p className="text-small text-muted-foreground">
        {captureFrom.length > 0 &&
          `Taken from ${captureFrom.map((source) => sourceNames[source].toLowerCase()).join(', ')}. `}
        Entries are suggested for memory after {pluralize(promote.minAgeHours, 'hour')}; a person approves them.
      </p>
    </CatalogCard>
  )
}

type CaptureSource = (typeof captureSources)[number]
type DraftSection = MemoryPattern['sections'][number] & { row: string }
interface PatternValues extends Pick<MemoryPattern, 'name' | 'description' | 'captureFrom' | 'keepsStory'> {
  sections: DraftSection[]
  minAgeHours: number
}

const sourceNames: Record<CaptureSource, string> = {
  reflection: 'Reflections',
  moment: 'Moments',
  voice: 'Voice entries',
  logbook: 'Logbook entries',
}
const sectionKindLabels: Record<DraftSection['kind'], string> = {
  text: 'Text',
  list: 'List',
  timeline: 'Timeline',
  map: 'Map',
}

const createSection = (): DraftSection => ({ row: createClientId(), key: '', title: '', kind: 'text' })
const blankPattern: PatternValues = {
  name: '',
  description: '',
  sections: [],
  captureFrom: ['reflection'],
  minAgeHours: 24,
  keepsStory: false,
}
const toPatternValues = (pattern: MemoryPattern): PatternValues => ({
  name: pattern.name,
  description: pattern.description,
  sections: pattern.sections.map((section, index) => ({ ...section, row: `${index}` })),
  captureFrom: pattern.captureFrom,
  minAgeHours: pattern.promote.minAgeHours,
  keepsStory: pattern.keepsStory,
})

function toPatternBody({ name, description, sections, captureFrom, minAgeHours, keepsStory }: PatternValues) {
  const usedKeys = new Set(sections.map(({ key }) => key).filter(Boolean))
  return {
    name: name.trim(),
    description: description.trim(),
    sections: sections.map(({ key: existingKey, title, kind }) => {
      const key = existingKey || createFreeKey(title, usedKeys, 'section')
      usedKeys.add(key)
      return { key, title: title.trim(), kind }
    }),
    captureFrom,
    promote: { minAgeHours, needsHuman: true as const },
    keepsStory,
  }
}
