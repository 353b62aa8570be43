/**
 * Runs before the page is painted: the theme and the language that the reader chose are those of the first picture, and nothing
 * moves afterwards.
 */
{
  const theme = localStorage.getItem('svc.theme')
  if (theme !== null) document.documentElement.style.colorScheme = theme
  document.documentElement.dataset.language = localStorage.getItem('svc.language') ?? 'curl'
}
