import { Plus, Search, Settings } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Checkbox } from '../ui/controls/checkbox.tsx'
import { ChoiceCards } from '../ui/controls/choice-cards.tsx'
import { FilterChips } from '../ui/controls/filter-chips.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { SegmentedControl } from '../ui/controls/segmented-control.tsx'
import { Switch } from '../ui/controls/switch.tsx'
import { ChipInput } from '../ui/fields/chip-input.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import { PasswordField } from '../ui/fields/password-field.tsx'
import { RangeField } from '../ui/fields/range-field.tsx'
import { SearchField } from '../ui/fields/search-field.tsx'
import { SelectField } from '../ui/fields/select-field.tsx'
import { TextArea } from '../ui/fields/text-area.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Section } from '../ui/panels/section.tsx'

export function ControlSpecimens() {
  return (
    <>
      <Buttons />
      <Fields />
      <Choices />
      <FormSection />
    </>
  )
}

function Buttons() {
  const [busy, setBusy] = useState(true)
  return (
    <Specimen title="Buttons">
      <SpecimenRow>
        {(['primary', 'outline', 'keep', 'plain', 'danger', 'danger-text'] as const).map((variant) => (
          <Button key={variant} variant={variant}>
            {variant}
          </Button>
        ))}
      </SpecimenRow>
      <SpecimenRow>
        <Button disabled>Disabled</Button>
        <Button variant="primary" busy={busy} busyLabel="Creating Agent..." onClick={() => setBusy(true)}>
          Create Agent
        </Button>
        <Button size="small">Small</Button>
        <Button size="small" variant="plain" onClick={() => setBusy(!busy)}>
          Toggle busy
        </Button>
        <Button size="large" variant="primary">
          Begin
        </Button>
      </SpecimenRow>
      <SpecimenRow>
        <Button icon={<Plus aria-hidden size={14} />}>With icon</Button>
        <IconButton label="Settings">
          <Settings aria-hidden size={16} />
        </IconButton>
        <IconButton label="Search" outlined>
          <Search aria-hidden size={16} />
        </IconButton>
        <IconButton label="Focus mode" pressed>
          <Search aria-hidden size={16} />
        </IconButton>
        <IconButton label="Not now" disabled>
          <Settings aria-hidden size={16} />
        </IconButton>
      </SpecimenRow>
    </Specimen>
  )
}

function Fields() {
  const [slug, setSlug] = useState('My Agent')
  const [tags, setTags] = useState(['harbour', 'father', 'bread'])
  const [temperature, setTemperature] = useState(0.7)
  const [query, setQuery] = useState('harb')
  const wrong = !/^[a-z0-9-]*$/.test(slug)
  return (
    <Specimen title="Fields">
      <div className="grid grid-cols-2 gap-3.5 phone:grid-cols-1">
        <TextField label="Title" required placeholder="Name this keeper" />
        <TextField
          label="Purpose"
          required
          help="One line is enough."
          defaultValue="What is it for?"
          aside="15 / 120"
        />
        <TextField
          label="Slug"
          mono
          value={slug}
          onChange={(event) => setSlug(event.currentTarget.value)}
          error={wrong && 'Only lowercase letters, numbers and hyphens'}
          fix={{ label: 'Use my-agent', onFix: () => setSlug('my-agent') }}
        />
        <PasswordField
          label="API key"
          mono
          secretLabel="API key"
          defaultValue="sk-123456783fQ"
          success="✓ Valid key format"
        />
        <SelectField
          label="Provider"
          defaultValue="openai"
          options={[
            { value: 'openai', label: 'OpenAI' },
            { value: 'anthropic', label: 'Anthropic' },
            { label: 'Open models', options: [{ value: 'together', label: 'Together AI' }] },
          ]}
        />
        <SelectField
          label="Keeper type"
          defaultValue=""
          placeholder="Choose a type"
          options={[{ value: 'journal', label: 'Journal' }]}
          error="Choose a type"
        />
        <NumberField label="Longest answer" unit="tokens" defaultValue={1024} min={1} />
        <RangeField
          label="Temperature"
          min={0}
          max={2}
          step={0.1}
          value={temperature}
          onNumberChange={setTemperature}
          help="Lower is steadier."
        />
        <TextField label="Created by" disabled defaultValue="Maren Lindqvist" />
        <SearchField label="Search agents" value={query} onValueChange={setQuery} className="self-end" />
        <ChipInput
          label="Tags"
          className="col-span-full"
          value={tags}
          onValueChange={setTags}
          help="Comma or Enter adds a tag."
        />
        <TextArea
          label="First words"
          className="col-span-full"
          serif
          defaultValue="The house is quiet enough to hear the kettle think."
        />
      </div>
    </Specimen>
  )
}

function Choices() {
  const [pattern, setPattern] = useState<'sole' | 'journal' | 'palace'>('journal')
  const [view, setView] = useState<'day' | 'week' | 'year'>('week')
  const [filter, setFilter] = useState<'all' | 'pending' | 'delivered'>('all')
  return (
    <Specimen title="Choices">
      <SpecimenRow>
        <Checkbox label="Enable Memory" defaultChecked />
        <Checkbox label="Public" />
        <Checkbox label="Fixed" defaultChecked disabled />
      </SpecimenRow>
      <SpecimenRow>
        <Switch label="Active" defaultChecked />
        <Switch label="Inactive" />
        <Switch label="Locked" disabled />
      </SpecimenRow>
      <SpecimenRow>
        <SegmentedControl
          label="View"
          value={view}
          onValueChange={setView}
          options={[
            { value: 'day', label: 'Day' },
            { value: 'week', label: 'Week' },
            { value: 'year', label: 'Year' },
          ]}
        />
      </SpecimenRow>
      <SpecimenRow>
        <FilterChips
          label="Echoes"
          value={filter}
          onValueChange={setFilter}
          options={[
            { value: 'all', label: 'All', count: 12 },
            { value: 'pending', label: 'Pending', count: 4 },
            { value: 'delivered', label: 'Delivered', count: 8 },
          ]}
        />
      </SpecimenRow>
      <ChoiceCards
        label="Memory pattern"
        required
        value={pattern}
        onValueChange={setPattern}
        options={[
          { value: 'journal', title: 'Journal', description: 'Ordered by day.' },
          { value: 'sole', title: 'Sole', description: 'One page, read and approved.' },
          { value: 'palace', title: 'Palace', description: 'Rooms to walk through.', disabled: true },
        ]}
      />
    </Specimen>
  )
}

function FormSection() {
  return (
    <Specimen title="Form sections">
      <Section title="Identity" help="How people and other agents find it.">
        <TextField label="Name" required defaultValue="Recipe Reader" />
      </Section>
      <Section title="Memory" help="What the agent can read.">
        <Switch label="Reads Father's Kitchen" help="Reflections and memory cards." defaultChecked />
      </Section>
    </Specimen>
  )
}

export function Specimen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-7 min-w-0 break-inside-avoid" aria-label={title}>
      <h2 className="mb-3 border-b border-border pb-1.5 text-h3">{title}</h2>
      {children}
    </section>
  )
}

export function SpecimenRow({ children }: { children: ReactNode }) {
  return <div className="mb-2.5 flex flex-wrap items-center gap-2 last:mb-0">{children}</div>
}
