const whole = new Intl.NumberFormat('en-US')
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const date = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** '1,204' */
export const spokenCount = (count: number) => whole.format(count)

/** '1.2M' */
export const shortCount = (count: number) => short.format(count)

/** '$5.00': what one sets, not what was spent. */
export const spokenAmount = (dollars: number) => amount.format(dollars)

/** 'Nov 20', of a day in UTC. */
export const shortDay = (day: string) => date.format(new Date(day))
