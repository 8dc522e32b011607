export const quietClasses =
  'transition-opacity duration-120 hover-hover:opacity-0 hover-hover:group-hover:opacity-100 hover-hover:group-focus-within:opacity-100 hover-hover:has-aria-expanded:opacity-100'
