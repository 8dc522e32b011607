const whole = new Intl.NumberFormat('en-US')
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const date = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

export const formatCount = (count: number) => whole.format(count)

export const formatCompactCount = (count: number) => short.format(count)

/** A configured amount such as '$5.00', as opposed to measured costs. */
export const formatAmount = (dollars: number) => amount.format(dollars)

/** Such as 'Nov 20', for a UTC day. */
export const formatShortDay = (day: string) => date.format(new Date(day))
