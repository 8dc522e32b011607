import { BookHeart, DraftingCompass, type LucideIcon, Shield } from 'lucide-react'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { LazyTooltip } from './lazy-tooltip.tsx'
import { type ViewMode, viewModeNames, viewModes } from './view-mode.ts'
import { useViewMode } from './view-mode-provider.tsx'

const icons: Record<ViewMode, LucideIcon> = { Architect: DraftingCompass, MyKeeper: BookHeart, Admin: Shield }

const segment =
  'relative grid place-items-center rounded-sm text-small leading-[26px] font-medium text-muted-foreground transition-colors duration-120 hover:text-foreground has-checked:bg-raised has-checked:font-semibold has-checked:text-foreground has-checked:shadow-e1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ring phone:leading-[34px]'

export function ModeSwitcher({ narrow = false }: { narrow?: boolean }) {
  const { mode, setMode } = useViewMode()
  return (
    <div
      role="radiogroup"
      aria-label="Mode"
      className={classNames(
        'mx-3 mt-1 mb-2.5 grid shrink-0 gap-0.5 rounded-md bg-fill p-[3px]',
        narrow ? 'auto-rows-[30px]' : 'grid-cols-[1fr_1.12fr_.8fr]',
      )}
    >
      {viewModes.map((name) => {
        const Icon = icons[name]
        return (
          <LazyTooltip key={name} label={viewModeNames[name]} disabled={!narrow}>
            <label className={segment}>
              <input
                type="radio"
                name={narrow ? 'mode-narrow' : 'mode'}
                value={name}
                checked={name === mode}
                onChange={() => setMode(name)}
                className="pointer-events-none absolute inset-0 appearance-none opacity-0"
              />
              {narrow && <Icon aria-hidden size={16} />}
              <span className={narrow ? 'sr-only' : undefined}>{viewModeNames[name]}</span>
            </label>
          </LazyTooltip>
        )
      })}
    </div>
  )
}
