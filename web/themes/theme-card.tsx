import { Copy, Download, MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { useId, useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { Theme } from '#contract/themes/themes.ts'
import { saveFile } from '#web/files/save-file.ts'
import type { ThemeMode } from '#web/themes/base/theme-colors.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { findLowestTextRatio, formatRatio } from './contrast.ts'
import { createThemeFile } from './theme-file.ts'
import { getEditThemeRoute, getNewThemeRoute } from './theme-queries.ts'
import { themeModes } from './theme-values.ts'
import { getPaintedColors, ThemedBox } from './themed-box.tsx'
import type { ThemePreview } from './use-theme-preview.ts'

const swatchClasses = ['bg-primary', 'bg-ribbon', 'bg-chart3', 'bg-chart4', 'bg-chart5', 'bg-secondary']

function ThemeMiniature({ theme, chosen }: { theme: Theme; chosen: boolean }) {
  return (
    <div
      aria-hidden
      className={classNames(
        'grid grid-cols-2 overflow-hidden rounded-lg border border-border shadow-e1',
        chosen && 'outline-2 outline-offset-4 outline-ribbon',
      )}
    >
      <MiniaturePage theme={theme} mode="light" />
      <MiniaturePage theme={theme} mode="dark" />
    </div>
  )
}

function MiniaturePage({ theme, mode }: { theme: Theme; mode: ThemeMode }) {
  return (
    <ThemedBox
      theme={theme}
      mode={mode}
      className="grid h-[140px] grid-cols-[38px_minmax(0,1fr)] overflow-hidden bg-background text-foreground"
    >
      <div className="flex flex-col gap-[7px] border-e border-border bg-sidebar px-2 py-2.5">
        <span className="h-4 w-3.5 rounded-[3px] bg-chart1" />
        <span className="h-[5px] rounded-[3px] bg-ribbon" />
        <span className="h-[5px] rounded-[3px] bg-input/60" />
        <span className="h-[5px] rounded-[3px] bg-input/60" />
      </div>
      <div className="min-w-0 p-3">
        <p className="truncate font-serif text-[1.0625rem] leading-[1.375rem]">{formatToday()}</p>
        <div className="relative mt-[9px] mb-2.5 flex flex-col gap-1.5 rounded-[2px_7px_7px_2px] border border-border bg-paper p-2.5">
          <span className="absolute -top-px end-2 h-[17px] w-[7px] spine bg-ribbon" />
          <span className="h-1 w-3/5 rounded-[2px] bg-muted-foreground/70" />
          <span className="h-1 w-[72%] rounded-[2px] bg-muted-foreground/70" />
        </div>
        <div className="flex gap-[5px]">
          <span className="h-[17px] w-[38px] rounded-xs bg-primary" />
          <span className="h-[17px] w-[26px] rounded-xs bg-secondary" />
          <span className="h-[17px] w-[26px] rounded-xs bg-accent" />
        </div>
      </div>
    </ThemedBox>
  )
}

function formatToday(): string {
  return new Date().toLocaleDateString('en-US', { weekday: 'short', month: 'short', day: 'numeric' })
}

function ThemeSwatches({ theme, mode }: { theme: Theme; mode: ThemeMode }) {
  return (
    <ThemedBox theme={theme} mode={mode} className="flex gap-[5px]">
      {swatchClasses.map((color) => (
        <span
          key={color}
          aria-hidden
          className={`size-[1.375rem] rounded-full border border-foreground/15 forced-color-adjust-none ${color}`}
        />
      ))}
    </ThemedBox>
  )
}

interface ThemeCardProps {
  theme: Theme
  inUse: boolean
  mode: ThemeMode
  preview: ThemePreview
  onUse: () => void
  onDelete: () => void
}

/** Hovering or focusing a card previews its theme in the whole app. */
export function ThemeCard({ theme, inUse, mode, preview, onUse, onDelete }: ThemeCardProps) {
  const navigate = useNavigate()
  const titleId = useId()
  const contrast = useMemo(
    () =>
      themeModes.map((themeMode) => formatRatio(findLowestTextRatio(getPaintedColors(theme, themeMode)))).join(' / '),
    [theme],
  )
  return (
    <article
      aria-labelledby={titleId}
      className="flex h-full min-w-0 flex-col gap-[11px]"
      onPointerEnter={({ pointerType }) => {
        if (pointerType === 'mouse') preview.show(theme)
      }}
      onPointerLeave={({ pointerType }) => {
        if (pointerType === 'mouse') preview.end()
      }}
      onFocus={({ target }) => {
        if (target.matches(':focus-visible')) preview.show(theme)
      }}
      onBlur={preview.end}
    >
      <ThemeMiniature theme={theme} chosen={inUse} />
      <div>
        <div className="flex flex-wrap items-center gap-2">
          <h2 dir="auto" id={titleId} className="min-w-0 text-h3 wrap-break-word">
            {theme.name}
          </h2>
          {inUse && <Badge tone="ribbon">In use</Badge>}
          {theme.mine && <Badge tone="outlined">{theme.visibility === 'public' ? 'Yours, public' : 'Yours'}</Badge>}
        </div>
        <p className="text-ui wrap-break-word text-muted-foreground">{theme.note}</p>
      </div>
      <ThemeSwatches theme={theme} mode={mode} />
      <div className="mt-auto flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 text-small wrap-anywhere text-muted-foreground tabular-nums">
          {theme.system && `${theme.slug}. `}Lowest text contrast {contrast}
        </span>
        {theme.mine && (
          <Button
            size="small"
            aria-label={`Edit ${theme.name}`}
            onClick={() => navigate(getEditThemeRoute(theme.id))}
            icon={<Pencil aria-hidden size={13} />}
          >
            Edit
          </Button>
        )}
        <Button
          size="small"
          aria-label={inUse ? `${theme.name} is in use` : `Use ${theme.name}`}
          aria-disabled={inUse || undefined}
          className={inUse ? 'cursor-default! border-dashed bg-muted! text-muted-foreground! shadow-none' : undefined}
          onClick={() => {
            if (inUse) return
            preview.stop()
            onUse()
          }}
        >
          {inUse ? 'In use' : 'Use'}
        </Button>
        <Menu
          trigger={
            <IconButton size="small" label={`More for ${theme.name}`}>
              <MoreHorizontal aria-hidden size={15} />
            </IconButton>
          }
        >
          <MenuItem
            icon={<Copy aria-hidden size={14} />}
            onSelect={() => navigate(getNewThemeRoute(theme.mine || !theme.system ? theme.id : theme.slug))}
          >
            {theme.mine ? 'Duplicate' : 'Customize'}
          </MenuItem>
          <MenuItem
            icon={<Download aria-hidden size={14} />}
            onSelect={() => saveFile(createThemeFile(theme), `${theme.slug}.theme.json`)}
          >
            Export JSON
          </MenuItem>
          {theme.mine && (
            <MenuItem danger icon={<Trash2 aria-hidden size={14} />} onSelect={onDelete}>
              Delete
            </MenuItem>
          )}
        </Menu>
      </div>
    </article>
  )
}
