import { wizardKeeperTypes, wizardMemoryPatterns } from '#contract/keepers/keepers.ts'
import { builtInThemes } from '#web/themes/base/theme-colors.ts'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { ChoiceCards } from '#web/ui/controls/choice-cards.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { wizardPatterns, wizardTypes } from '../keeper-labels.ts'
import { useCustomPatterns } from '../use-custom-patterns.ts'
import { getChosenTheme } from '../use-keeper-theme.ts'
import type { WizardDraft } from './wizard-rules.ts'

interface PanelProps {
  draft: WizardDraft
  onChange: (change: Partial<WizardDraft>) => void
  errors: Record<string, string> | undefined
}

export function PurposeStep({ draft, onChange, errors }: PanelProps) {
  return (
    <div className="flex flex-col gap-5">
      <TextField
        label="Title"
        required
        maxLength={120}
        value={draft.title}
        error={errors?.title}
        help="A name, as on a book’s spine: The Harbour Year."
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <TextArea
        label="Purpose"
        required
        rows={4}
        maxLength={2000}
        value={draft.purpose}
        error={errors?.purpose}
        help="What you’ll keep here. Agents read this first."
        onChange={(event) => onChange({ purpose: event.currentTarget.value })}
      />
    </div>
  )
}

export function MemoryStep({ draft, onChange, errors }: PanelProps) {
  const customPatterns = useCustomPatterns()
  return (
    <div className="flex flex-col gap-7">
      <ChoiceCards
        label="Keeper type"
        required
        columns={3}
        value={draft.keeperType}
        error={errors?.keeperType}
        onValueChange={(keeperType) => onChange({ keeperType })}
        options={wizardKeeperTypes.map((value) => ({ value, ...wizardTypes[value] }))}
      />
      <ChoiceCards
        label="Memory pattern"
        required
        columns={2}
        value={draft.memoryPattern}
        error={errors?.memoryPattern}
        onValueChange={(memoryPattern) => onChange({ memoryPattern })}
        options={[
          ...wizardMemoryPatterns.map((value) => ({ value: value as string, ...wizardPatterns[value] })),
          ...customPatterns.map(({ value, label, description }) => ({ value, title: label, description })),
        ]}
      />
    </div>
  )
}

export function ThemeStep({ draft, onChange }: PanelProps) {
  const customPatterns = useCustomPatterns()
  const pattern = wizardMemoryPatterns.find((candidate) => candidate === draft.memoryPattern)
  return (
    <div className="flex flex-col gap-6">
      <div>
        <ChoiceCards
          label="Theme"
          columns={3}
          value={draft.theme}
          onValueChange={(theme) => onChange({ theme })}
          options={builtInThemes.map(({ slug, name }) => ({
            value: slug,
            title: name,
            picture: <Swatch theme={slug} />,
          }))}
        />
        <p className="mt-1.5 text-small text-muted-foreground">Keeper Classic follows the theme you use.</p>
      </div>
      <ThemePreview theme={draft.theme} seed={draft.id} title={draft.title} purpose={draft.purpose} />
      <Checkbox
        label="Public page (coming later)"
        help="Nothing becomes visible yet. Your choice takes effect once public pages exist."
        checked={draft.isPublic}
        onCheckedChange={(isPublic) => onChange({ isPublic })}
      />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 border-t border-border pt-5 text-ui">
        <dt className="text-muted-foreground">Title</dt>
        <dd className="wrap-break-word">{draft.title}</dd>
        <dt className="text-muted-foreground">Purpose</dt>
        <dd className="whitespace-pre-line wrap-break-word">{draft.purpose}</dd>
        <dt className="text-muted-foreground">Keeper type</dt>
        <dd>{draft.keeperType && wizardTypes[draft.keeperType].title}</dd>
        <dt className="text-muted-foreground">Memory pattern</dt>
        <dd>
          {pattern
            ? wizardPatterns[pattern].title
            : (customPatterns.find(({ value }) => value === draft.memoryPattern)?.label ?? draft.memoryPattern)}
        </dd>
      </dl>
    </div>
  )
}

function Swatch({ theme }: { theme: string }) {
  const { mode } = useTheme()
  return (
    <span
      aria-hidden
      data-theme={getChosenTheme(theme)}
      data-mode={mode}
      className="grid size-9 shrink-0 grid-cols-2 overflow-hidden rounded-md border border-border"
    >
      <span className="bg-background" />
      <span className="bg-primary" />
      <span className="bg-ribbon" />
      <span className="bg-foreground" />
    </span>
  )
}

interface ThemePreviewProps {
  theme: string
  seed: string
  title: string
  purpose: string
}

function ThemePreview({ theme, seed, title, purpose }: ThemePreviewProps) {
  const { mode } = useTheme()
  return (
    <section
      aria-label="Preview"
      data-theme={getChosenTheme(theme)}
      data-mode={mode}
      className="flex gap-5 rounded-lg border border-border bg-background p-5 text-foreground phone:flex-wrap"
    >
      <Cover seed={seed} width={108} height={144} ribbon />
      <div className="flex min-w-0 flex-1 basis-48 flex-col gap-2">
        <p className="font-serif text-h2 font-medium wrap-break-word">{title}</p>
        <p className="line-clamp-2 text-ui text-muted-foreground wrap-break-word">{purpose}</p>
        <div className="rounded-page border border-border bg-paper p-3.5">
          <p className="font-serif text-read">Your text looks like this.</p>
          <p className="mt-1 text-small text-muted-foreground">And notes look like this.</p>
        </div>
        <p className="flex flex-wrap gap-2 text-small font-label">
          <span className="rounded-md bg-primary px-3 py-1.5 text-primary-foreground">A button</span>
          <span className="rounded-md bg-ribbon-soft px-3 py-1.5 text-ribbon-text">Kept</span>
          <span className="rounded-md border border-border bg-card px-3 py-1.5">A card</span>
        </p>
      </div>
    </section>
  )
}
