import { Mark } from '#web/ui/drawings/mark.tsx'

export function Wordmark() {
  return (
    <a href="/" aria-label="Keeper" className="tap-area flex items-center gap-[9px] rounded-sm">
      <Mark size={26} />
      <span className="font-serif text-[1.5rem] leading-none font-medium tracking-[-0.015em]">Keeper</span>
    </a>
  )
}
