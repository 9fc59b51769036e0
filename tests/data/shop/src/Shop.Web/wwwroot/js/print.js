// Opens the print dialogue as soon as the page has its fonts.
document.fonts.ready.then(() => window.print());
