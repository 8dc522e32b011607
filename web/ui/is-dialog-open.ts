/** Whether a dialog or a menu lies over the page: single keys are not for the page then. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null
}
