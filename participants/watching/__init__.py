"""What researchers see and do while and after people take part."""
