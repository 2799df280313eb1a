document.title = 'A record';
