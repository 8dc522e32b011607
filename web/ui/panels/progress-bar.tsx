import { classNames } from '../hooks/class-names.ts'

export interface ProgressBarProps {
  label: string
  value: number
  max?: number
  valueText?: string
  tone?: 'primary' | 'success' | 'warning' | 'destructive' | 'ribbon'
  className?: string
}

const toneClasses = {
  primary: 'bg-primary',
  success: 'bg-success',
  warning: 'bg-warning',
  destructive: 'bg-destructive',
  ribbon: 'bg-ribbon',
}

export function ProgressBar({ label, value, max = 100, valueText, tone = 'primary', className }: ProgressBarProps) {
  const fraction = max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={valueText}
      className={classNames('h-1.5 overflow-hidden rounded-full bg-secondary forced-colors:border', className)}
    >
      <div
        className={classNames(
          'h-full rounded-full transition-[width] duration-300 ease-fade forced-colors:bg-[Highlight]',
          toneClasses[tone],
        )}
        style={{ width: `${fraction * 100}%` }}
      />
    </div>
  )
}
