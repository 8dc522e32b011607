import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { getChosenTheme } from '../use-keeper-theme.ts'

interface ThemePreviewProps {
  theme: string
  seed: string
  title: string
  purpose: string
}

export function ThemePreview({ theme, seed, title, purpose }: ThemePreviewProps) {
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
